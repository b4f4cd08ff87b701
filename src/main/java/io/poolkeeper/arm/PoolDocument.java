package io.poolkeeper.arm;

import io.poolkeeper.model.PoolView;

/**
 * A backend pool as it was read: the view that policy works on, and behind it everything else that
 * the PUT must send back unchanged. Immutable.
 */
public interface PoolDocument {
  PoolView view();
}
