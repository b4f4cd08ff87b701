package io.poolkeeper.lock;

import io.poolkeeper.lock.LeaseView.Whose;
import java.time.Instant;
import java.util.Optional;

/**
 * What is known of the Lease and of who needs it.
 *
 * @param known the Lease as it was seen last; empty if it must be read
 * @param wantedSince since when a turn waits for nothing but the Lease
 * @param busy present from the time somebody wanted it in vain until it is seen to be free
 * @param sessions how many there have been
 * @param failures of calls in a row, conflicts included
 * @param error of the last call, if the API server did not take it
 * @param unsure whether a call may have left it ours
 * @param recovered whether what a predecessor left was looked for
 */
public record SharedLockState(
    LockPhase phase,
    Optional<LeaseView> known,
    LeaseDemand demand,
    Optional<Instant> wantedSince,
    Optional<Busy> busy,
    Pause pause,
    long sessions,
    int failures,
    Optional<String> error,
    boolean unsure,
    boolean leads,
    boolean recovered,
    boolean stopping) {
  static final SharedLockState INITIAL =
      new SharedLockState(
          new LockPhase.Resting(Instant.EPOCH),
          Optional.empty(),
          LeaseDemand.NONE,
          Optional.empty(),
          Optional.empty(),
          Pause.NONE,
          0,
          0,
          Optional.empty(),
          false,
          false,
          false,
          false);

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

  /** How it stands, for the turnstile. */
  LeaseStanding standing() {
    if (phase instanceof LockPhase.Held held) {
      return new LeaseStanding.Held(held.session(), held.until());
    }
    if (error.isPresent()) {
      return new LeaseStanding.Unreachable(error.get());
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

  /** Whether it must be read although nobody wants it. */
  boolean mustLook() {
    return unsure || (leads && !recovered);
  }

  boolean wanted() {
    return demand.wanted() && leads;
  }
}
