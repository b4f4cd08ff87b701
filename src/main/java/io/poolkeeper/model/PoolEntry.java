package io.poolkeeper.model;

import java.util.Optional;

/**
 * One entry of a backend pool as ARM shows it.
 *
 * @param name unique in the pool; the Node's name if the cloud provider or Poolkeeper wrote it
 * @param address empty for an entry of a network interface, or whose text is not an address
 */
public record PoolEntry(String name, Optional<Address> address) {}
