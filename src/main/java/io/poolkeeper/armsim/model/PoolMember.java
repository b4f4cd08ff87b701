package io.poolkeeper.armsim.model;

import java.util.Optional;

/**
 * One entry of a pool.
 *
 * @param ip as written, and absent for a NIC
 * @param adminState in the canonical spelling; empty if none is set
 */
public record PoolMember(String name, Optional<String> ip, Optional<String> adminState) {}
