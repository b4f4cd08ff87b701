package io.poolkeeper.lock;

import io.poolkeeper.lock.LeaseView.Holder;
import io.poolkeeper.lock.LeaseView.Whose;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The state of the shared lock.
 *
 * @param wantedSince since when a permit waits for the Lease alone
 * @param yielding when the Lease is left to the cloud provider
 * @param sessions how many there have been
 * @param asOf the time of the last event
 */
public record SharedLockState(
    LockPhase phase,
    Lease lease,
    LeaseDemand demand,
    Optional<Instant> wantedSince,
    Yielding yielding,
    long sessions,
    Calls calls,
    Role role,
    boolean stopping,
    Instant asOf) {
  static final SharedLockState INITIAL =
      new SharedLockState(
          new LockPhase.Resting(Instant.EPOCH),
          new Lease(Optional.empty(), Instant.EPOCH, Optional.empty()),
          LeaseDemand.NONE,
          Optional.empty(),
          Yielding.NONE,
          0,
          Calls.NONE,
          Role.STANDBY,
          false,
          Instant.EPOCH);

  enum Role {
    STANDBY,
    /**
     * A new leader that has not written the Lease yet: a call of its predecessor may still land.
     * After a write it cannot, as it carries an older version.
     */
    RECOVERING,
    LEADING
  }

  /**
   * The Lease as it was seen last.
   *
   * @param view empty if it must be read
   * @param learnt when it was seen; monotonic
   * @param busy present from when the Lease was wanted in vain until it is seen to be free
   */
  record Lease(Optional<LeaseView> view, Instant learnt, Optional<Busy> busy) {
    Lease unknown() {
      return new Lease(Optional.empty(), learnt, busy);
    }

    Lease busy(Optional<Busy> next) {
      return new Lease(view, learnt, next);
    }

    /** The other client that holds the Lease. */
    Optional<Holder> other(Instant now) {
      return view.flatMap(seen -> seen.busy(now));
    }
  }

  /**
   * Another client has the Lease.
   *
   * @param met when it was found busy first, even if another holder took it over since
   * @param recheckAt when it is read, whatever the watch says
   */
  record Busy(Holder holder, Instant met, Instant recheckAt) {
    Instant next() {
      return holder.expires().isBefore(recheckAt) ? holder.expires() : recheckAt;
    }
  }

  /**
   * The results of calls.
   *
   * @param failures in a row, conflicts included
   * @param failing present while the API server takes no calls
   * @param unsure whether a write may have left the Lease ours
   */
  record Calls(int failures, Optional<Failing> failing, boolean unsure) {
    static final Calls NONE = new Calls(0, Optional.empty(), false);

    /** A read does not end the failures of a write: writes may still be refused. */
    Calls succeeded(LockPhase.Calling call) {
      return unsure && call instanceof LockPhase.Reading
          ? new Calls(failures, failing, false)
          : NONE;
    }

    /** A call has failed, or met a conflict, which says nothing about the API server. */
    Calls failed(LockPhase.Calling call, Optional<Failing> next) {
      boolean read = call instanceof LockPhase.Reading;
      return new Calls(failures + 1, next.or(() -> failing), unsure || !read);
    }

    /** The watch shows until when another client has the Lease, although calls fail. */
    Calls busy(Optional<Instant> until) {
      return new Calls(failures, failing.map(known -> known.busy(until)), unsure);
    }
  }

  /**
   * The calls that failed in a row.
   *
   * @param since the first failure
   * @param busyUntil when the Lease of the last known other holder expires
   * @param reported whether people know
   */
  record Failing(String error, Instant since, Optional<Instant> busyUntil, boolean reported) {
    Failing busy(Optional<Instant> until) {
      return new Failing(error, since, until, reported);
    }
  }

  LeaseStanding standing() {
    if (phase instanceof LockPhase.Held held) {
      return new LeaseStanding.Held(held.session(), held.until(), held.tail(), held.over());
    }
    if (calls.failing().isPresent()) {
      Failing now = calls.failing().get();
      return new LeaseStanding.Unreachable(now.error(), now.since(), now.busyUntil());
    }
    if (lease.busy().isEmpty()) {
      return new LeaseStanding.Free();
    }
    Busy busy = lease.busy().get();
    Holder holder = busy.holder();
    return new LeaseStanding.Busy(holder.identity(), holder.since(), holder.expires(), busy.met());
  }

  /** The Lease if it is held under our identity and no session uses it. */
  Optional<LeaseView> leftBehind() {
    boolean namesakes = role == Role.RECOVERING;
    return lease
        .view()
        .filter(view -> view.is(Whose.OURS) || (namesakes && view.is(Whose.NAMESAKE)));
  }

  /** Whether the Lease must be read although nobody wants it: no other call shows its state. */
  boolean mustLook() {
    boolean unknown = lease.view().isEmpty() && !stopping;
    boolean maybeLeft = role == Role.RECOVERING || calls.failing().isPresent();
    return calls.unsure() || (unknown && maybeLeft);
  }

  /** When the Lease may be taken for a permit that waits. */
  Instant takenFrom() {
    return demand.drain() ? Instant.EPOCH : yielding.membersFrom(asOf);
  }

  /** Whether the Lease is to be taken: a permit wants it, or calls fail and are tried. */
  boolean wanted() {
    boolean tries = calls.failing().isPresent() && !stopping;
    return role != Role.STANDBY && (demand.wanted() || tries);
  }

  Optional<Instant> wakeAt() {
    if (phase instanceof LockPhase.Held held) {
      Instant again = yielding.windows().freeFrom(held.until());
      return Optional.of(again.isBefore(held.tail()) ? again : held.over());
    }
    boolean atOnce = stopping || mustLook() || leftBehind().isPresent();
    if (!(phase instanceof LockPhase.Resting resting) || !(atOnce || wanted())) {
      return Optional.empty();
    }
    Instant next = atOnce ? Instant.EPOCH : takenFrom();
    Instant free = atOnce ? Instant.EPOCH : lease.busy().map(Busy::next).orElse(Instant.EPOCH);
    return Optional.of(Collections.max(List.of(resting.notBefore(), next, free)));
  }
}
