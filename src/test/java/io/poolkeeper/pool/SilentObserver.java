package io.poolkeeper.pool;

import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.RetryReason;
import java.time.Duration;

/** Hears of pools and forgets. */
public class SilentObserver implements PoolObserver {
  @Override
  public void changed(PoolStatus status) {}

  @Override
  public void finished(PoolId pool, Outcome outcome, Duration took) {}

  @Override
  public void adminStatesSet(PoolId pool, Outcome outcome, Duration took) {}

  @Override
  public void retrying(PoolId pool, RetryReason reason) {}

  @Override
  public void found(PoolId pool, Leftover.Kind kind, int entries) {}

  @Override
  public void postponed(PoolId pool) {}

  @Override
  public void removalHeld(PoolId pool) {}

  @Override
  public void forgotten(PoolId pool) {}
}
