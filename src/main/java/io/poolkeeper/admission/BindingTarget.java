package io.poolkeeper.admission;

import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.ServiceKey;
import java.time.Duration;
import java.util.Optional;

/**
 * What a valid binding binds to what.
 *
 * @param exclusive whether the pool holds this binding's addresses alone
 * @param maxRetries instead of the configured one, 0 to 100
 * @param interval instead of the configured one, 0.1 s to 1 h
 */
public record BindingTarget(
    ServiceKey service,
    PoolReference pool,
    IpFamily family,
    boolean exclusive,
    Optional<Integer> maxRetries,
    Optional<Duration> interval) {}
