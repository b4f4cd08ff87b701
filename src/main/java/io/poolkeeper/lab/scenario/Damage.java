package io.poolkeeper.lab.scenario;

/**
 * A pool that another writer has damaged.
 *
 * @param atNanos monotonic, just before its write
 * @param announced whether the other writer has said so
 */
public record Damage(long atNanos, String loadBalancer, String pool, boolean announced) {}
