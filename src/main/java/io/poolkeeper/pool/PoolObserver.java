package io.poolkeeper.pool;

import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.RetryReason;
import java.time.Duration;

/** The port through which status and metrics hear of pools. Never blocks, never fails. */
public interface PoolObserver {
  void changed(PoolStatus status);

  /** An attempt ended with an outcome that is counted. */
  void finished(PoolId pool, Outcome outcome, Duration took);

  /**
   * An attempt has written admin states, or failed with some to write. Every such attempt counts,
   * also one that is not reported.
   */
  void adminStatesSet(PoolId pool, Outcome outcome, Duration took);

  /** An attempt without a fresh change begins. */
  void retrying(PoolId pool, RetryReason reason);

  /** Entries were found wrong, without a known reason. */
  void found(PoolId pool, Leftover.Kind kind, int entries);

  /** A repair waits because others damage the pool again and again. */
  void postponed(PoolId pool);

  void removalHeld(PoolId pool);

  void forgotten(PoolId pool);
}
