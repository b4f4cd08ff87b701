package io.poolkeeper.pool;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.Mark;
import io.poolkeeper.model.Names;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.PoolEntry;
import io.poolkeeper.model.PoolView;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The edit of the PUT, from a fresh GET and what is desired. It is empty if the pool is as desired,
 * and always empty for a pool with an entry that has no address: such a pool is left alone.
 */
final class PoolPlan {
  private static final String NO_ADDRESS =
      "a member is a network interface (an entry without ipAddress)";
  private static final String NO_NETWORK =
      "neither the pool, nor an entry, nor azure.vnet-id names a virtual network for an address:"
          + " set azure.vnet-id";

  private PoolPlan() {}

  static PoolEdit of(PoolView pool, DesiredMembers desired) {
    if (!pool.ipBased()) {
      return PoolEdit.NONE;
    }
    Set<Address> present = new HashSet<>();
    Set<Address> remove = new HashSet<>();
    Set<String> names = new HashSet<>();
    for (PoolEntry entry : pool.entries()) {
      Address address = entry.address().orElseThrow();
      if (stays(entry, address, desired)) {
        present.add(address);
        names.add(Names.fold(entry.name()));
      } else {
        remove.add(address);
      }
    }
    Map<Address, String> add = new HashMap<>();
    desired
        .members()
        .forEach(
            (address, node) -> {
              if (!present.contains(address)) {
                add.put(address, uniqueName(node, address, names, desired.mark()));
              }
            });
    return PoolEdit.of(remove, add, desired.mark());
  }

  /** The part of the edit that ARM can take: without a network, addresses are only removed. */
  static PoolEdit feasible(PoolView pool, PoolEdit edit) {
    return pool.networked() ? edit : edit.removals();
  }

  /** Why ARM would not take the whole edit of members; empty if it would. */
  static Optional<String> obstacle(PoolView pool, PoolEdit edit) {
    if (!pool.ipBased()) {
      return Optional.of(NO_ADDRESS);
    }
    return feasible(pool, edit).equals(edit) ? Optional.empty() : Optional.of(NO_NETWORK);
  }

  private static boolean stays(PoolEntry entry, Address address, DesiredMembers desired) {
    return !desired.complete()
        || desired.members().containsKey(address)
        || desired.kept().contains(address)
        || desired.mark().filter(mark -> !mark.on(entry.name())).isPresent()
        || desired.keepUnknown().stream().anyMatch(known -> !known.own(entry, desired.mark()));
  }

  /**
   * ARM refuses a pool with two entries of one name; a second one gets its address appended, and a
   * number if that is taken too.
   */
  private static String uniqueName(
      NodeKey node, Address address, Set<String> taken, Optional<Mark> mark) {
    UnaryOperator<String> marked = name -> mark.map(suffix -> suffix.name(name)).orElse(name);
    String substitute = node.name() + "-" + address.text().replace('.', '-').replace(':', '-');
    String name = marked.apply(node.name());
    for (int attempt = 1; !taken.add(Names.fold(name)); attempt++) {
      name = marked.apply(attempt == 1 ? substitute : substitute + "-" + attempt);
    }
    return name;
  }
}
