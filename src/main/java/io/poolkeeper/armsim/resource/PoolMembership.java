package io.poolkeeper.armsim.resource;

/**
 * One ip configuration of a network interface that names a backend pool.
 *
 * @param pool the pool's id as written
 * @param ipConfiguration the id of the ip configuration
 * @param privateAddress its address; empty if it has none
 */
public record PoolMembership(String pool, String ipConfiguration, String privateAddress) {}
