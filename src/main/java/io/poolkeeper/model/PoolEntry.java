package io.poolkeeper.model;

import java.util.Optional;

/**
 * One entry of a backend pool as ARM shows it.
 *
 * @param name unique in the pool; the name of its Node where the cloud provider or we wrote it
 * @param address empty for an entry that is tied to a network interface, or whose text is no
 *     address
 */
public record PoolEntry(String name, Optional<Address> address) {}
