package io.poolkeeper.pool;

import io.poolkeeper.model.Address;
import java.util.HashSet;
import java.util.Set;

/**
 * What binds a Service to a pool that something else manages. Invariant of the plan: what is not
 * recorded is not added, so that whatever ends the process, the record says what to clean up.
 *
 * @param shared whether others put addresses in the pool, too, which stay
 * @param added the addresses that were put in for the Service, or are about to be; recorded outside
 *     of this process
 * @param kept those of them that are recorded by a binding which does not end
 */
public record Bound(boolean shared, Set<Address> added, Set<Address> kept) {
  public Bound {
    added = Set.copyOf(added);
    kept = Set.copyOf(kept);
  }

  /** By bindings that do not end. */
  public Bound(boolean shared, Set<Address> added) {
    this(shared, added, added);
  }

  /** Of two Services of one pool. If one of them believes to be alone, the safe reading wins. */
  public Bound and(Bound other) {
    Set<Address> all = new HashSet<>(added);
    all.addAll(other.added);
    Set<Address> allKept = new HashSet<>(kept);
    allKept.addAll(other.kept);
    return new Bound(shared || other.shared, all, allKept);
  }

  /** Whether only bindings that end have added it: then no check may hold it. */
  boolean frees(Address address) {
    return added.contains(address) && !kept.contains(address);
  }

  /** Whether the address may be removed if nobody wants it. */
  boolean mayRemove(Address address) {
    return !shared || added.contains(address);
  }
}
