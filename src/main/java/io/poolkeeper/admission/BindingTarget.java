package io.poolkeeper.admission;

import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.PoolReference;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.pool.Terms;
import java.time.Duration;
import java.util.Optional;

/**
 * What a valid binding binds to what.
 *
 * @param maxRetries of the pool instead of the configured one, 0 to 100; see {@link Terms}
 * @param interval the same, 0.1 s to 1 h
 */
public record BindingTarget(
    ServiceKey service,
    PoolReference pool,
    IpFamily family,
    Ownership ownership,
    Optional<Integer> maxRetries,
    Optional<Duration> interval) {
  boolean exclusive() {
    return ownership == Ownership.EXCLUSIVE;
  }

  boolean mirrored() {
    return ownership == Ownership.MIRRORED;
  }
}
