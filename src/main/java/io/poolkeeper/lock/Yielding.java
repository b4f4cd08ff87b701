package io.poolkeeper.lock;

import io.poolkeeper.model.ServiceKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
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
    for (Map.Entry<ServiceKey, Complaint> known : complaints.entrySet()) {
      kept = known.getValue().over(now) ? kept.minus(known.getKey()) : kept;
    }
    Complaint before = kept.get(service);
    if (before != null && at.isBefore(before.at().plus(FIRST_TRY.dividedBy(2)))) {
      return this;
    }
    if (before == null && kept.size() >= MOST) {
      kept = kept.minus(oldest(kept));
    }
    int row = before == null ? 1 : before.row() + 1;
    return planned(kept.plus(service, new Complaint(row, at)), now, limits);
  }

  private static ServiceKey oldest(Map<ServiceKey, Complaint> complaints) {
    return Collections.min(
            complaints.entrySet(), Comparator.comparing(complaint -> complaint.getValue().at()))
        .getKey();
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
    for (Instant at : tries) {
      planned = planned.plusBeginning(Windows.later(now, at.minus(BEFORE)), at.plus(AFTER));
    }
    for (Instant at : tries) {
      Instant free = at.minus(BEFORE);
      planned = planned.plusEnd(Windows.later(now, free.minus(limits.maxTail())), free);
    }
    return new Yielding(until, next, planned);
  }

  /** The first time, not before this one, at which a session for members may begin. */
  Instant membersFrom(Instant time) {
    return windows.freeFrom(Windows.later(time, until));
  }
}
