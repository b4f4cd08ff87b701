package io.poolkeeper.pool;

import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.RetryReason;
import java.time.Duration;

/** The port through which status and metrics hear of pools. Never blocks, never fails. */
public interface PoolObserver {
  void changed(PoolStatus status);

  /** An attempt that took so long ended in a way that is counted. */
  void finished(PoolId pool, Outcome outcome, Duration took);

  /**
   * An attempt that took so long has written admin states, or failed with some to write; as often
   * as that happens, whether or not it is reported otherwise.
   */
  void adminStatesSet(PoolId pool, Outcome outcome, Duration took);

  /** An attempt begins because an earlier one failed, or although nobody asked for it. */
  void retrying(PoolId pool, RetryReason reason);

  /** So many entries were found that are wrong without a reason that is known. */
  void found(PoolId pool, Leftover.Kind kind, int entries);

  /** A repair waits because others damage the pool again and again. */
  void postponed(PoolId pool);

  void removalHeld(PoolId pool);

  void forgotten(PoolId pool);
}
