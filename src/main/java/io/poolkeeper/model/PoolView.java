package io.poolkeeper.model;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A backend pool as ARM shows it, from a GET of the pool or inside a listing.
 *
 * @param etag of the load balancer's document at that moment; empty if ARM sent none
 * @param updating whether a write of somebody is still running on it
 * @param entries in ARM's order
 * @param rules the names of the load-balancing rules that send to it, in ARM's case
 */
public record PoolView(
    PoolId id, String etag, boolean updating, List<PoolEntry> entries, Set<String> rules) {
  public PoolView {
    entries = List.copyOf(entries);
    rules = Set.copyOf(rules);
  }

  /** Whether every entry has an IP address; a pool where one has none is never edited. */
  public boolean ipBased() {
    return entries.stream().allMatch(entry -> entry.address().isPresent());
  }

  public Set<Address> addresses() {
    return entries.stream()
        .flatMap(entry -> entry.address().stream())
        .collect(Collectors.toUnmodifiableSet());
  }
}
