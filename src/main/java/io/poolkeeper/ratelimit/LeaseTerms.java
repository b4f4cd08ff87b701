package io.poolkeeper.ratelimit;

import java.time.Duration;
import java.util.Optional;

/**
 * For how long permits wait for the shared Lease, and keep it (docs/topics/shared-lock.md).
 *
 * @param drainWait how long drains wait for a Lease that they cannot have; empty: for ever
 * @param unreachableAfter how long other permits wait for a Lease that can be neither read nor
 *     written; empty: for ever
 * @param maxTail how long a write keeps the Lease after ARM has accepted it
 */
public record LeaseTerms(
    Optional<Duration> drainWait, Optional<Duration> unreachableAfter, Duration maxTail) {}
