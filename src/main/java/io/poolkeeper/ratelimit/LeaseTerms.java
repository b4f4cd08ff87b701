package io.poolkeeper.ratelimit;

import java.time.Duration;
import java.util.Optional;

/**
 * For how long turns wait for the shared Lease, and keep it (docs/topics/shared-lock.md).
 *
 * @param drainWait how long drains wait for one that they cannot have; empty: for ever
 * @param unreachableAfter how long others wait for one that can be neither read nor written; empty:
 *     for ever
 * @param maxTail how long after ARM has accepted it a write keeps it
 */
public record LeaseTerms(
    Optional<Duration> drainWait, Optional<Duration> unreachableAfter, Duration maxTail) {}
