package io.poolkeeper.admission;

import java.time.Instant;
import java.util.List;
import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;
import org.pcollections.OrderedPSet;

/**
 * The deletions that clean up a pool which no pattern allows them. Anybody who may create bindings
 * can make such a deletion, with a finalizer of their own hand. So only a few have a turn at once,
 * in which their pool is read; the others wait in the order in which they were heard of.
 *
 * @param begun since when each has its turn
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

  /** Those whose turn it is. */
  List<BindingKey> next(int atOnce) {
    return waiting.stream().limit(Math.max(0, atOnce - begun.size())).toList();
  }

  Cleanups begin(BindingKey key, Instant now) {
    return new Cleanups(begun.plus(key, now), waiting.minus(key));
  }

  boolean waits(BindingKey key) {
    return waiting.contains(key);
  }
}
