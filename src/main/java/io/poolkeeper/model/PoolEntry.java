package io.poolkeeper.model;

import java.util.Optional;

/**
 * One entry of a backend pool as ARM shows it.
 *
 * @param name unique in the pool; the Node's name if the cloud provider or Poolkeeper wrote it
 * @param address empty for an entry of a network interface, or whose text is not an address
 * @param ipConfiguration the id of the IP configuration of an entry of a network interface
 */
public record PoolEntry(
    String name,
    Optional<Address> address,
    Optional<String> ipConfiguration,
    AdminState adminState) {
  /** An entry of an address whose admin state was never set. */
  public PoolEntry(String name, Optional<Address> address) {
    this(name, address, Optional.empty(), AdminState.NONE);
  }

  PoolEntry with(AdminState next) {
    return new PoolEntry(name, address, ipConfiguration, next);
  }
}
