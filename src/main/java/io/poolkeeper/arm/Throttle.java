package io.poolkeeper.arm;

import io.poolkeeper.model.LoadBalancerId;
import java.time.Instant;
import java.util.Optional;

/**
 * ARM answered 429.
 *
 * @param loadBalancer the only one that is concerned; empty for the whole subscription
 * @param write whether calls that write are concerned, or calls that read
 * @param until when ARM takes them again, monotonic; not in the future if ARM did not say
 */
public record Throttle(Optional<LoadBalancerId> loadBalancer, boolean write, Instant until) {}
