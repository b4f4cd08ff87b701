package io.poolkeeper.lock;

import io.poolkeeper.model.ServiceKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;

/**
 * When the Lease is left to the cloud provider although members wait for it: for {@code yield}
 * after each session, and around the next try of each Service whose last try failed for the Lease
 * (facts about the cloud provider: its tries follow after 5 s, doubling to 5 min, without jitter).
 * Drains do not wait for this.
 *
 * @param until the pause after the last session
 * @param complaints of Services that have not been served since; {@link #MOST} at most
 * @param windows around the next tries, and past ones, which bound the new ones
 */
record Yielding(Instant until, HashPMap<ServiceKey, Complaint> complaints, Windows windows) {
  static final Yielding NONE = new Yielding(Instant.EPOCH, HashTreePMap.empty(), Windows.NONE);

  /** The maximum of Services whose complaints are kept; the oldest is forgotten first. */
  static final int MOST = 100;

  static final Duration FIRST_TRY = Duration.ofSeconds(5);
  static final Duration LAST_TRY = Duration.ofMinutes(5);
  private static final int MOST_DOUBLINGS = 6;

  /** How long before a try the Lease becomes free. */
  static final Duration BEFORE = Duration.ofSeconds(1);

  /** How long after a try the Lease stays free. */
  static final Duration AFTER = Duration.ofSeconds(2);

  /**
   * The failed tries of the cloud provider for one Service.
   *
   * @param row the failures in a row, at least 1
   * @param at the time of the last failure
   */
  record Complaint(int row, Instant at) {
    Instant nextTry() {
      Duration doubled = FIRST_TRY.multipliedBy(1L << Math.min(row - 1, MOST_DOUBLINGS));
      return at.plus(doubled.compareTo(LAST_TRY) < 0 ? doubled : LAST_TRY);
    }

    /** Whether the last failure is so old that the row is over. */
    private boolean over(Instant now) {
      return !now.isBefore(at.plus(LAST_TRY)) && !now.isBefore(nextTry().plus(AFTER));
    }
  }

  /** A session ended. */
  Yielding pause(Instant now, LockLimits limits) {
    return new Yielding(now.plus(limits.yield()), complaints, windows);
  }

  /** A try failed. The same failure may be reported twice. */
  Yielding complained(ServiceKey service, Instant at, Instant now, LockLimits limits) {
    HashPMap<ServiceKey, Complaint> kept = complaints;
    for (Map.Entry<ServiceKey, Complaint> one : complaints.entrySet()) {
      kept = one.getValue().over(now) ? kept.minus(one.getKey()) : kept;
    }
    Optional<Complaint> before = Optional.ofNullable(kept.get(service));
    if (before.map(last -> at.isBefore(last.at().plus(FIRST_TRY.dividedBy(2)))).orElse(false)) {
      return this;
    }
    if (before.isEmpty() && kept.size() >= MOST) {
      kept =
          kept.minus(
              kept.entrySet().stream()
                  .min(Comparator.comparing(one -> one.getValue().at()))
                  .orElseThrow()
                  .getKey());
    }
    int row = before.map(Complaint::row).orElse(0) + 1;
    return planned(kept.plus(service, new Complaint(row, at)), now, limits);
  }

  /** A try succeeded. */
  Yielding served(ServiceKey service, Instant now, LockLimits limits) {
    return complaints.containsKey(service) ? planned(complaints.minus(service), now, limits) : this;
  }

  /**
   * Plans the windows: first each try gets its free time, the next try first. Then, as far as the
   * bound allows, permits that were granted before get time to end, or to have been accepted for
   * long enough.
   */
  private Yielding planned(HashPMap<ServiceKey, Complaint> next, Instant now, LockLimits limits) {
    List<Instant> tries = next.values().stream().map(Complaint::nextTry).sorted().toList();
    Windows planned = windows.until(now);
    for (Instant one : tries) {
      planned = planned.plusBeginning(Windows.later(now, one.minus(BEFORE)), one.plus(AFTER));
    }
    for (Instant one : tries) {
      Instant free = one.minus(BEFORE);
      planned = planned.plusEnd(Windows.later(now, free.minus(limits.maxTail())), free);
    }
    return new Yielding(until, next, planned);
  }

  /** The first time, not before this one, at which a session for members may begin. */
  Instant membersFrom(Instant time) {
    return windows.freeFrom(Windows.later(time, until));
  }
}
