package io.poolkeeper.lock;

/** What can happen to the shared lock. */
public sealed interface SharedLockEvent {
  /** This process acts from now on: what a predecessor left is given back first. */
  record Lead() implements SharedLockEvent {}

  /** What the turnstile needs now. */
  record Demanded(LeaseDemand demand) implements SharedLockEvent {}

  /** The watch shows the Lease; older than what is known, it is of no interest. */
  record Seen(LeaseView view) implements SharedLockEvent {}

  /** The call in flight has ended. */
  record Answered(LeaseAnswer answer) implements SharedLockEvent {}

  /** The timer. */
  record TimerDue() implements SharedLockEvent {}

  /** Give back what is held, and end. */
  record Stop() implements SharedLockEvent {}
}
