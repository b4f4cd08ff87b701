package io.poolkeeper.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A backend pool as ARM shows it, from a GET of the pool or inside a listing.
 *
 * @param etag of the load balancer's document at that moment; empty if ARM sent none
 * @param updating whether a write of any client is in flight on it
 * @param entries in ARM's order
 * @param rules the names of the load-balancing rules that send to it, in ARM's case
 * @param networked whether an address may be added: the pool, an entry or the settings name a
 *     virtual network for it
 * @param outbound whether an outbound rule uses it: its members are to reach others, not to be
 *     reached
 */
public record PoolView(
    PoolId id,
    String etag,
    boolean updating,
    List<PoolEntry> entries,
    Set<String> rules,
    boolean networked,
    boolean outbound) {
  public PoolView {
    entries = List.copyOf(entries);
    rules = Set.copyOf(rules);
  }

  /** A pool that no outbound rule uses. */
  public PoolView(
      PoolId id,
      String etag,
      boolean updating,
      List<PoolEntry> entries,
      Set<String> rules,
      boolean networked) {
    this(id, etag, updating, entries, rules, networked, false);
  }

  /** A pool that no outbound rule uses, to which an address may be added. */
  public PoolView(
      PoolId id, String etag, boolean updating, List<PoolEntry> entries, Set<String> rules) {
    this(id, etag, updating, entries, rules, true);
  }

  /** Whether every entry has an IP address; otherwise the pool is never edited. */
  public boolean ipBased() {
    return entries.stream().allMatch(entry -> entry.address().isPresent());
  }

  /** The view after the edit was written; its etag is unknown until the next GET. */
  public PoolView with(PoolEdit edit) {
    List<PoolEntry> next = new ArrayList<>();
    for (PoolEntry entry : entries) {
      if (!edit.removes(entry.name(), entry.address())) {
        next.add(entry);
      }
    }
    edit.add().forEach((address, name) -> next.add(new PoolEntry(name, Optional.of(address))));
    next.replaceAll(
        entry -> entry.with(edit.adminStates().getOrDefault(entry.name(), entry.adminState())));
    return new PoolView(id, "", false, next, rules, networked, outbound);
  }

  /** The addresses that get no new connections. */
  public Set<Address> down() {
    return entries.stream()
        .filter(entry -> entry.adminState() == AdminState.DOWN)
        .flatMap(entry -> entry.address().stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  /** The addresses of the entries that carry the mark. */
  public Set<Address> marked(Mark mark) {
    return entries.stream()
        .filter(entry -> mark.on(entry.name()))
        .flatMap(entry -> entry.address().stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  /** How many entries have the state, with or without an address. */
  public int count(AdminState state) {
    return Math.toIntExact(entries.stream().filter(entry -> entry.adminState() == state).count());
  }

  public Set<Address> addresses() {
    return entries.stream()
        .flatMap(entry -> entry.address().stream())
        .collect(Collectors.toUnmodifiableSet());
  }
}
