package io.poolkeeper.node;

import io.poolkeeper.retry.Backoff;
import io.poolkeeper.retry.Jitter;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;
import org.pcollections.OrderedPSet;

/**
 * The machines of network interfaces in pools, as far as the interfaces' ids do not name them:
 * those of single virtual machines. An interface is read once, and again when a machine is new if
 * it had none. One read runs at a time, and they are {@value #SPACING_MILLIS} ms apart. An
 * interface that no pool holds any more is forgotten. While a read fails, the entry's node is
 * unknown, and the entry is left alone. Failed reads delay no others.
 *
 * @param machines the machine of each IP configuration that was read; empty if it has none
 * @param unread the IP configurations to read, folded
 * @param failed the IP configurations to read again, when no other is unread
 * @param call the call that is under way, or the pause before the next
 */
record Interfaces(
    HashPMap<String, Optional<String>> machines,
    OrderedPSet<String> unread,
    Failed failed,
    Call call) {
  static final Interfaces NONE =
      new Interfaces(
          HashTreePMap.empty(), OrderedPSet.empty(), Failed.NONE, new Resting(Instant.MIN));

  /** A cluster of 5,000 nodes has no more, in two families. Further ones stay unknown. */
  static final int MOST = 10_000;

  /** Well below the rate of reads at which ARM would refuse them. */
  static final int SPACING_MILLIS = 100;

  private static final Duration SPACING = Duration.ofMillis(SPACING_MILLIS);

  /** Shared by all failed reads: thousands may be forbidden for good, and one may be cured. */
  private static final Backoff RETRY =
      new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30), Jitter.EQUAL);

  /** The one call at a time. */
  sealed interface Call {}

  /** No call is wanted before then. */
  record Resting(Instant until) implements Call {}

  /** The rate limiter was asked to admit a call. */
  record Requested() implements Call {}

  record Reading(String ipConfiguration) implements Call {}

  /**
   * The IP configurations whose last read failed. They share one backoff.
   *
   * @param ids the next one first
   * @param failures of repeated reads, in a row
   * @param retryAt when the next one may be read
   */
  record Failed(OrderedPSet<String> ids, int failures, Instant retryAt) {
    static final Failed NONE = new Failed(OrderedPSet.empty(), 0, Instant.MIN);

    Failed with(String id, Instant now, RandomGenerator random) {
      if (!ids.isEmpty() && !ids.contains(id)) {
        return new Failed(ids.plus(id), failures, retryAt);
      }
      int more = ids.isEmpty() ? 1 : failures + 1;
      return new Failed(ids.minus(id).plus(id), more, now.plus(RETRY.delay(more, random)));
    }

    Failed without(String id) {
      return ids.contains(id) ? new Failed(ids.minus(id), 0, Instant.MIN) : this;
    }
  }

  /** Pools contain these IP configurations, and no others. */
  Interfaces seen(Set<String> ipConfigurations) {
    HashPMap<String, Optional<String>> read =
        machines.minusAll(gone(machines.keySet(), ipConfigurations));
    OrderedPSet<String> toRead = unread.minusAll(gone(unread, ipConfigurations));
    OrderedPSet<String> toRetry = failed.ids().minusAll(gone(failed.ids(), ipConfigurations));
    for (String id : ipConfigurations.stream().sorted().toList()) {
      boolean room = read.size() + toRead.size() + toRetry.size() < MOST;
      boolean fresh = !read.containsKey(id) && !toRetry.contains(id);
      toRead = room && fresh ? toRead.plus(id) : toRead;
    }
    return new Interfaces(
        read, toRead, new Failed(toRetry, failed.failures(), failed.retryAt()), call);
  }

  private static List<String> gone(Set<String> ids, Set<String> ipConfigurations) {
    return ids.stream().filter(id -> !ipConfigurations.contains(id)).toList();
  }

  /** When a call is wanted; empty if none is, or if one is in flight. */
  Optional<Instant> wakeAt() {
    if (!(call instanceof Resting resting) || (unread.isEmpty() && failed.ids().isEmpty())) {
      return Optional.empty();
    }
    boolean retry = unread.isEmpty() && failed.retryAt().isAfter(resting.until());
    return Optional.of(retry ? failed.retryAt() : resting.until());
  }

  Interfaces requested() {
    return with(new Requested());
  }

  /** The call may begin, if an interface is still to be read. */
  Interfaces granted(Instant now) {
    boolean retry = unread.isEmpty() && !failed.retryAt().isAfter(now);
    return (retry ? failed.ids() : unread)
        .stream().findFirst().map(id -> with(new Reading(id))).orElseGet(() -> resting(now));
  }

  Interfaces read(String id, Optional<String> machine, Instant now) {
    boolean wanted = unread.contains(id) || failed.ids().contains(id);
    HashPMap<String, Optional<String>> read = wanted ? machines.plus(id, machine) : machines;
    return new Interfaces(read, unread.minus(id), failed.without(id), call).resting(now);
  }

  /** A machine is new: interfaces without a machine are read again, as they may belong to it. */
  Interfaces machineAppeared() {
    HashPMap<String, Optional<String>> owned = machines;
    OrderedPSet<String> toRead = unread;
    for (var read : machines.entrySet()) {
      if (read.getValue().isEmpty()) {
        owned = owned.minus(read.getKey());
        toRead = toRead.plus(read.getKey());
      }
    }
    return new Interfaces(owned, toRead, failed, call);
  }

  Interfaces failed(String id, Instant now, RandomGenerator random) {
    boolean wanted = unread.contains(id) || failed.ids().contains(id);
    Failed more = wanted ? failed.with(id, now, random) : failed;
    return new Interfaces(machines, unread.minus(id), more, call).resting(now);
  }

  private Interfaces resting(Instant now) {
    return with(new Resting(now.plus(SPACING)));
  }

  private Interfaces with(Call next) {
    return new Interfaces(machines, unread, failed, next);
  }

  /** The machines that are known, by IP configuration. */
  Map<String, String> known() {
    Map<String, String> known = new HashMap<>();
    machines.forEach((id, machine) -> machine.ifPresent(name -> known.put(id, name)));
    return Map.copyOf(known);
  }
}
