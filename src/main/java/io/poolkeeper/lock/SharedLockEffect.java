package io.poolkeeper.lock;

import java.time.Duration;

/** What the shared lock asks its actor to do. */
public sealed interface SharedLockEffect {
  /** Call the API server; the answer is an event. */
  sealed interface Call extends SharedLockEffect {}

  record Read() implements Call {}

  record Take(LeaseView read) implements Call {}

  record GiveBack(LeaseView read) implements Call {}

  /** A session began, for which a permit has waited that long. */
  record Taken(Duration waited, boolean drain) implements SharedLockEffect {}

  /** The Lease is not ours any more, although we did not give it back. */
  record Lost(LeaseView now) implements SharedLockEffect {}

  /** The Lease was left held by a predecessor, or by a call of ours without an answer. */
  record LeftBehind(LeaseView found) implements SharedLockEffect {}

  /** For some time the Lease could be neither read nor written; reported once. */
  record Unreachable(String error) implements SharedLockEffect {}
}
