package io.poolkeeper.pool;

import io.poolkeeper.model.PoolId;

/** Hears of pools and forgets. */
public class SilentObserver implements PoolObserver {
  @Override
  public void changed(PoolStatus status) {}

  @Override
  public void ran(PoolId pool, PoolEffect effect) {}

  @Override
  public void forgotten(PoolId pool) {}
}
