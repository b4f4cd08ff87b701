package io.poolkeeper.lab.scenario;

import java.util.Set;

/**
 * One change at the API server that concerns a pool, and what the pool is expected to hold after
 * it.
 *
 * @param atNanos monotonic, just before the API server was asked; so what is measured from here is
 *     never too short
 */
public record Change(long atNanos, String loadBalancer, String pool, Set<String> addresses) {
  public Change {
    addresses = Set.copyOf(addresses);
  }

  boolean concerns(String otherBalancer, String otherPool) {
    return loadBalancer.equalsIgnoreCase(otherBalancer) && pool.equalsIgnoreCase(otherPool);
  }
}
