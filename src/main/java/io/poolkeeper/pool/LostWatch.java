package io.poolkeeper.pool;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.ServiceKey;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a pool withholds while a watch of the cluster is lost (architecture, Invariants). The pool
 * removes no entry, and adds only addresses that came over live watches. An address that was wanted
 * before the loss may be outdated, and another writer may have removed its entry for good reason.
 *
 * @param firstUnseen ownerships with smaller numbers existed before the loss
 * @param frozen addresses that are not added: wanted before, with no change queued that wants them
 * @param withheld Services of which something may wait for the end of the loss
 */
record LostWatch(long firstUnseen, Set<Address> frozen, Set<ServiceKey> withheld) {
  LostWatch {
    frozen = Set.copyOf(frozen);
    withheld = Set.copyOf(withheld);
  }

  /** The part of the desired members that may be written during the loss. */
  DesiredMembers limit(DesiredMembers desired) {
    TreeMap<Address, NodeKey> members = new TreeMap<>(desired.members());
    members.keySet().removeAll(frozen);
    return new DesiredMembers(
        members, desired.kept(), false, desired.keepUnknown(), desired.mark());
  }

  /**
   * A Service has a new level. The first level of an ownership from before the loss may be old, so
   * its addresses are frozen. Every other level is a change, and so is an address that left and
   * came back.
   */
  LostWatch withLevel(Desired before, Ownership next, Desired after) {
    Ownership last = before.services().get(next.service());
    boolean known = last != null && last.number() == next.number();
    Set<Address> stillFrozen = new HashSet<>(frozen);
    if (!known && next.number() < firstUnseen) {
      stillFrozen.addAll(next.level().addresses());
      stillFrozen.removeAll(before.writable().members().keySet());
    }
    stillFrozen.retainAll(after.members().members().keySet());
    Set<ServiceKey> waiting = new HashSet<>(withheld);
    waiting.add(next.service());
    return new LostWatch(firstUnseen, stillFrozen, waiting);
  }
}
