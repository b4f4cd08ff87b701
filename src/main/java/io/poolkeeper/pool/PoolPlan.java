package io.poolkeeper.pool;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.Names;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.PoolEntry;
import io.poolkeeper.model.PoolView;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The edit of the PUT, from a fresh GET and what is desired. It is empty if the pool is as desired,
 * and always empty for a pool with an entry that has no address: such a pool is left alone.
 */
final class PoolPlan {
  private PoolPlan() {}

  static PoolEdit of(PoolView pool, DesiredMembers desired) {
    if (!pool.ipBased()) {
      return PoolEdit.NONE;
    }
    Set<Address> present = new HashSet<>();
    Set<Address> remove = new HashSet<>();
    Set<String> names = new HashSet<>();
    boolean recorded = recorded(pool, desired);
    for (PoolEntry entry : pool.entries()) {
      Address address = entry.address().orElseThrow();
      if (!recorded || staysWith(entry, address, desired)) {
        present.add(address);
        names.add(Names.fold(entry.name()));
      } else {
        remove.add(address);
      }
    }
    Map<Address, String> add = new HashMap<>();
    for (var member : desired.members().entrySet()) {
      Address address = member.getKey();
      if (!present.contains(address) && mayAdd(address, desired)) {
        add.put(address, uniqueName(member.getValue(), address, names));
      }
    }
    return PoolEdit.of(remove, add);
  }

  /** The part of the edit that no check holds: what only bindings that end have added goes. */
  static PoolEdit freed(PoolView pool, DesiredMembers desired) {
    Set<Address> remove = new HashSet<>();
    for (PoolEntry entry : pool.ipBased() ? pool.entries() : List.<PoolEntry>of()) {
      Address address = entry.address().orElseThrow();
      boolean ends = desired.bound().filter(bound -> bound.frees(address)).isPresent();
      if (ends && !staysWith(entry, address, desired)) {
        remove.add(address);
      }
    }
    return PoolEdit.of(remove, Map.of());
  }

  /**
   * Whether all that is missing may be added. Else nothing is removed either: a Service that moves
   * to other nodes would have none until they are recorded.
   */
  private static boolean recorded(PoolView pool, DesiredMembers desired) {
    return desired.bound().isEmpty()
        || desired.members().keySet().stream()
            .filter(address -> !mayAdd(address, desired))
            .allMatch(pool.addresses()::contains);
  }

  private static boolean mayAdd(Address address, DesiredMembers desired) {
    return desired.bound().map(bound -> bound.added().contains(address)).orElse(true);
  }

  /** The part of the edit that ARM can take: without a network, addresses are only removed. */
  static PoolEdit feasible(PoolView pool, PoolEdit edit) {
    return pool.networked() ? edit : PoolEdit.of(edit.remove(), Map.of());
  }

  private static boolean staysWith(PoolEntry entry, Address address, DesiredMembers desired) {
    return !desired.complete()
        || desired.members().containsKey(address)
        || desired.bound().filter(bound -> !bound.mayRemove(address)).isPresent()
        || desired.keepUnknown().stream().anyMatch(known -> !known.own(entry));
  }

  /**
   * ARM refuses a pool with two entries of one name; a second one gets its address appended, and a
   * number if that is taken too.
   */
  private static String uniqueName(NodeKey node, Address address, Set<String> taken) {
    String substitute = node.name() + "-" + address.text().replace('.', '-').replace(':', '-');
    String name = node.name();
    for (int attempt = 1; !taken.add(Names.fold(name)); attempt++) {
      name = attempt == 1 ? substitute : substitute + "-" + attempt;
    }
    return name;
  }
}
