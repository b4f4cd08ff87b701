package io.poolkeeper.lock;

import java.time.Instant;

/** The phase of the shared lock. A legal transition is a method on the phase it leaves. */
public sealed interface LockPhase {
  /**
   * No call is in flight, and the Lease is not ours to use.
   *
   * @param notBefore no call is made before then, as the last one failed
   */
  record Resting(Instant notBefore) implements LockPhase {
    Calling read() {
      return new Reading();
    }

    Calling take(Instant now) {
      return new Taking(now);
    }

    Calling giveBack() {
      return new GivingBack();
    }

    Ended end() {
      return new Ended();
    }
  }

  /** One call is in flight. */
  sealed interface Calling extends LockPhase {
    default Resting rest(Instant notBefore) {
      return new Resting(notBefore);
    }
  }

  record Reading() implements Calling {}

  record Taking(Instant begun) implements Calling {
    /** The Lease is ours since the call began, as others may have seen it since then. */
    Held held(long session, LockLimits limits) {
      Instant tail = begun.plus(limits.maxHold());
      return new Held(session, tail, tail);
    }
  }

  record GivingBack() implements Calling {}

  /**
   * The Lease is ours.
   *
   * @param until the end of permits for members
   * @param tail from then on no granted permit extends the session
   */
  record Held(long session, Instant until, Instant tail) implements LockPhase {
    /** When the Lease is given back, whatever is in flight. */
    Instant over() {
      return tail.plus(LockLimits.LONGEST_OVERRUN);
    }

    /** Permits for members end at that time, and never in the tail. */
    Held until(Instant time) {
      return new Held(session, time.isBefore(tail) ? time : tail, tail);
    }

    Calling giveBack() {
      return new GivingBack();
    }

    Resting lose(Instant now) {
      return new Resting(now);
    }
  }

  record Ended() implements LockPhase {}
}
