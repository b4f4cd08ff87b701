package io.poolkeeper.node;

import io.poolkeeper.retry.Backoff;
import io.poolkeeper.retry.Jitter;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;
import org.pcollections.OrderedPSet;

/**
 * The machines of network interfaces in pools whose ids do not name them: those of single virtual
 * machines. Each interface is read once, or again if it had no machine and one is new; one at a
 * time and {@value #SPACING_MILLIS} ms apart, and forgotten when no pool holds it any more. While a
 * read fails, the entry's node is unknown, and the entry is left alone.
 *
 * @param machines the machine of each IP configuration that was read; empty if it has none
 * @param unread the IP configurations to read, folded; those that failed stand last
 * @param call what is under way
 * @param failures in a row
 */
record Interfaces(
    HashPMap<String, Optional<String>> machines,
    OrderedPSet<String> unread,
    Call call,
    int failures) {
  static final Interfaces NONE =
      new Interfaces(HashTreePMap.empty(), OrderedPSet.empty(), new Resting(Instant.MIN), 0);

  /** A cluster of 5,000 nodes has no more, in two families. Further ones stay unknown. */
  static final int MOST = 10_000;

  /** Well below the rate of reads at which ARM would refuse them. */
  static final int SPACING_MILLIS = 100;

  private static final Duration SPACING = Duration.ofMillis(SPACING_MILLIS);

  private static final Backoff RETRY =
      new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(5), Jitter.EQUAL);

  /** The one call at a time. */
  sealed interface Call {}

  /** No call is wanted before then. */
  record Resting(Instant until) implements Call {}

  /** The turnstile was asked to admit a call. */
  record Requested() implements Call {}

  record Reading(String ipConfiguration) implements Call {}

  /** Pools contain these IP configurations. */
  Interfaces seen(Set<String> ipConfigurations) {
    HashPMap<String, Optional<String>> known = machines;
    for (String id : machines.keySet()) {
      known = ipConfigurations.contains(id) ? known : known.minus(id);
    }
    OrderedPSet<String> next = unread;
    for (String id : unread) {
      next = ipConfigurations.contains(id) ? next : next.minus(id);
    }
    for (String id : ipConfigurations.stream().sorted().toList()) {
      boolean room = known.size() + next.size() < MOST;
      next = room && !known.containsKey(id) ? next.plus(id) : next;
    }
    return new Interfaces(known, next, call, failures);
  }

  /** When a call is wanted; empty if none is, or if one is in flight. */
  Optional<Instant> wakeAt() {
    return call instanceof Resting resting && !unread.isEmpty()
        ? Optional.of(resting.until())
        : Optional.empty();
  }

  Interfaces requested() {
    return new Interfaces(machines, unread, new Requested(), failures);
  }

  /** The call may begin, if an interface is still unread. */
  Interfaces granted(Instant now) {
    return unread.isEmpty()
        ? resting(now)
        : new Interfaces(machines, unread, new Reading(unread.iterator().next()), failures);
  }

  Interfaces read(String id, Optional<String> machine, Instant now) {
    return unread.contains(id)
        ? new Interfaces(machines.plus(id, machine), unread.minus(id), call, 0).resting(now)
        : resting(now);
  }

  /** A machine is new: interfaces without a machine are read again, as they may belong to it. */
  Interfaces machineAppeared() {
    HashPMap<String, Optional<String>> owned = machines;
    OrderedPSet<String> next = unread;
    for (var free : machines.entrySet()) {
      if (free.getValue().isEmpty()) {
        owned = owned.minus(free.getKey());
        next = next.plus(free.getKey());
      }
    }
    return new Interfaces(owned, next, call, failures);
  }

  Interfaces failed(String id, Instant now, RandomGenerator random) {
    OrderedPSet<String> last = unread.contains(id) ? unread.minus(id).plus(id) : unread;
    Instant next = now.plus(RETRY.delay(failures + 1, random));
    return new Interfaces(machines, last, new Resting(next), failures + 1);
  }

  private Interfaces resting(Instant now) {
    return new Interfaces(machines, unread, new Resting(now.plus(SPACING)), failures);
  }

  /** The machines that are known, by IP configuration. */
  Map<String, String> known() {
    Map<String, String> all = new HashMap<>();
    machines.forEach((id, machine) -> machine.ifPresent(of -> all.put(id, of)));
    return Map.copyOf(all);
  }
}
