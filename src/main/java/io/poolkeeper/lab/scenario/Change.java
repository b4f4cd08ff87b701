package io.poolkeeper.lab.scenario;

import java.util.Set;

/**
 * One change at the API server that affects a pool, and the members expected after it.
 *
 * @param atNanos monotonic, just before the request to the API server, so that measured times are
 *     never too short
 */
public record Change(long atNanos, String loadBalancer, String pool, Set<String> addresses) {
  public Change {
    addresses = Set.copyOf(addresses);
  }

  /** Whether it is one of this pool. */
  public boolean concerns(String otherBalancer, String otherPool) {
    return loadBalancer.equalsIgnoreCase(otherBalancer) && pool.equalsIgnoreCase(otherPool);
  }
}
