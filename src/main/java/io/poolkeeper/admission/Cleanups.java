package io.poolkeeper.admission;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;
import org.pcollections.OrderedPSet;

/**
 * The deletions that clean up a pool which no pattern allows them. Anybody who may create bindings
 * can forge such a deletion, so only a few have a turn at once, in which their pool is read. The
 * others wait: namespaces take turns, and within a namespace the first that came is next.
 *
 * @param begun since when each of those with a turn has had it
 */
record Cleanups(HashPMap<BindingKey, Instant> begun, OrderedPSet<BindingKey> waiting) {
  static final Cleanups NONE = new Cleanups(HashTreePMap.empty(), OrderedPSet.empty());

  Cleanups with(BindingKey key) {
    return begun.containsKey(key) ? this : new Cleanups(begun, waiting.plus(key));
  }

  /** Its turn ends, if it has begun. */
  Cleanups without(BindingKey key) {
    return new Cleanups(begun.minus(key), waiting.minus(key));
  }

  /** Those whose turn it is: the oldest of the namespaces that have the fewest turns now. */
  List<BindingKey> next(int atOnce) {
    Map<String, Integer> turns = new HashMap<>();
    begun.keySet().forEach(key -> turns.merge(key.namespace(), 1, Integer::sum));
    List<BindingKey> next = new ArrayList<>();
    OrderedPSet<BindingKey> left = waiting;
    while (begun.size() + next.size() < atOnce && !left.isEmpty()) {
      BindingKey first =
          Collections.min(
              left, Comparator.comparing(key -> turns.getOrDefault(key.namespace(), 0)));
      turns.merge(first.namespace(), 1, Integer::sum);
      next.add(first);
      left = left.minus(first);
    }
    return next;
  }

  Cleanups begin(BindingKey key, Instant now) {
    return new Cleanups(begun.plus(key, now), waiting.minus(key));
  }

  boolean waits(BindingKey key) {
    return waiting.contains(key);
  }
}
