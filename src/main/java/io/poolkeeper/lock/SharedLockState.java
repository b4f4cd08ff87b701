package io.poolkeeper.lock;

import io.poolkeeper.lock.LeaseView.Whose;
import java.time.Instant;
import java.util.Optional;

/**
 * What is known of the Lease and of who needs it.
 *
 * @param known the Lease as it was seen last; empty if it must be read
 * @param learnt when that was; monotonic
 * @param wantedSince since when a turn waits for nothing but the Lease
 * @param busy present from the time somebody wanted it in vain until it is seen to be free
 * @param sessions how many there have been
 * @param courtesy what is left to the cloud provider
 * @param failures of calls in a row, conflicts included; what is read after a write that failed
 *     does not end the row
 * @param failing present while the API server takes no calls
 * @param unsure whether a call may have left it ours
 * @param recovered whether what a predecessor left was looked for
 * @param asOf when the last event was
 */
public record SharedLockState(
    LockPhase phase,
    Optional<LeaseView> known,
    Instant learnt,
    LeaseDemand demand,
    Optional<Instant> wantedSince,
    Optional<Busy> busy,
    Courtesy courtesy,
    long sessions,
    int failures,
    Optional<Failing> failing,
    boolean unsure,
    boolean leads,
    boolean recovered,
    boolean stopping,
    Instant asOf) {
  static final SharedLockState INITIAL =
      new SharedLockState(
          new LockPhase.Resting(Instant.EPOCH),
          Optional.empty(),
          Instant.EPOCH,
          LeaseDemand.NONE,
          Optional.empty(),
          Optional.empty(),
          Courtesy.NONE,
          0,
          0,
          Optional.empty(),
          false,
          false,
          false,
          false,
          Instant.EPOCH);

  /**
   * Another client has it.
   *
   * @param met when that was found first, even if it was taken over since
   * @param recheckAt when it is read, whatever the watch says
   */
  record Busy(LeaseView.Holder holder, Instant met, Instant recheckAt) {
    Instant next() {
      return holder.expires().isBefore(recheckAt) ? holder.expires() : recheckAt;
    }
  }

  /**
   * Calls fail.
   *
   * @param since the first of them
   * @param busyUntil when somebody else's Lease expires that was seen last
   * @param reported whether people know
   */
  record Failing(String error, Instant since, Optional<Instant> busyUntil, boolean reported) {
    /** The watch shows who has it, though no call does. */
    Failing busy(Optional<Instant> until) {
      return new Failing(error, since, until, reported);
    }
  }

  LeaseStanding standing() {
    if (phase instanceof LockPhase.Held held) {
      return new LeaseStanding.Held(held.session(), held.until(), held.tail(), held.over());
    }
    if (failing.isPresent()) {
      Failing now = failing.get();
      return new LeaseStanding.Unreachable(now.error(), now.since(), now.busyUntil());
    }
    return busy.<LeaseStanding>map(
            found ->
                new LeaseStanding.Busy(
                    found.holder().identity(),
                    found.holder().since(),
                    found.holder().expires(),
                    found.met()))
        .orElseGet(LeaseStanding.Free::new);
  }

  /** The Lease if it is held under our identity and nobody uses it; not while it is held. */
  Optional<LeaseView> left() {
    boolean namesakes = leads && !recovered;
    return known.filter(view -> view.is(Whose.OURS) || (namesakes && view.is(Whose.NAMESAKE)));
  }

  /** Whether it must be read although nobody wants it: else nobody would see that it goes again. */
  boolean mustLook() {
    return unsure
        || (known.isEmpty() && !stopping && ((leads && !recovered) || failing.isPresent()));
  }

  /** When it may be taken for those who want it. */
  Instant takenFrom() {
    return demand.drain() ? Instant.EPOCH : courtesy.membersFrom(asOf);
  }

  /** Whether it is to be taken: somebody wants it, or nothing else shows that it can be had. */
  boolean wanted() {
    return leads && (demand.wanted() || (failing.isPresent() && !stopping));
  }
}
