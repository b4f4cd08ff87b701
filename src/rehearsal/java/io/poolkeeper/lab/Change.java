package io.poolkeeper.lab;

import io.poolkeeper.lab.judge.PoolWrite;
import io.poolkeeper.model.PoolId;
import java.util.Set;

/**
 * One change at the API server that affects a pool, and the members expected after it.
 *
 * @param atNanos monotonic, just before the request to the API server, so that measured times are
 *     never too short
 */
public record Change(long atNanos, PoolId pool, Set<String> addresses) {
  public Change {
    addresses = Set.copyOf(addresses);
  }

  boolean ofSamePool(Change other) {
    return pool.equals(other.pool);
  }

  boolean concerns(PoolWrite write) {
    return pool.equals(write.pool());
  }
}
