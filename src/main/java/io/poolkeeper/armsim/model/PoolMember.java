package io.poolkeeper.armsim.model;

import java.util.Optional;

/** One entry of a pool; the address is as written, and absent for a NIC. */
public record PoolMember(String name, Optional<String> ip) {}
