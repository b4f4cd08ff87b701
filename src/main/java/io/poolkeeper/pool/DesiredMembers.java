package io.poolkeeper.pool;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.Mark;
import io.poolkeeper.model.NodeKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a pool should hold: the union of the levels of its Services (architecture, Invariants).
 * While any level is unknown, addresses may be added but not removed.
 *
 * @param members address to node; where Services disagree on the node of an address, the first wins
 * @param kept addresses that are no members, but whose entries stay
 * @param complete whether every level is known, and so whether anything may be removed
 * @param keepUnknown an entry stays if it belongs to no node of one of these sets; usually none
 * @param mark present if the pool is bound: entries without the mark are foreign, and stay
 */
record DesiredMembers(
    NavigableMap<Address, NodeKey> members,
    Set<Address> kept,
    boolean complete,
    List<KnownNodes> keepUnknown,
    Optional<Mark> mark) {
  /** No entry of the mark may stay. */
  static DesiredMembers none(Mark mark) {
    return new DesiredMembers(new TreeMap<>(), Set.of(), true, List.of(), Optional.of(mark));
  }

  /** The same members, with nothing removed. */
  DesiredMembers additions() {
    return new DesiredMembers(members, kept, false, keepUnknown, mark);
  }

  /** Without any Service the members are unknown: nothing is removed or added. */
  static DesiredMembers of(Collection<Level> levels, Optional<Mark> mark) {
    NavigableMap<Address, NodeKey> members = Collections.emptyNavigableMap();
    Set<Address> kept = new HashSet<>();
    List<KnownNodes> keepUnknown = new ArrayList<>();
    boolean complete = !levels.isEmpty();
    for (Level level : levels) {
      switch (level) {
        case Level.Unknown unknown -> complete = false;
        case Level.Exactly exactly -> {
          members = union(members, exactly.members());
          kept.addAll(exactly.kept());
          exactly.keepUnknown().ifPresent(keepUnknown::add);
        }
      }
    }
    kept.removeAll(members.keySet());
    return new DesiredMembers(members, kept, complete, List.copyOf(keepUnknown), mark);
  }

  /** Most pools have one Service, whose members are not copied. */
  private static NavigableMap<Address, NodeKey> union(
      NavigableMap<Address, NodeKey> first, NavigableMap<Address, NodeKey> others) {
    if (first.isEmpty()) {
      return others;
    }
    NavigableMap<Address, NodeKey> union = new TreeMap<>(first);
    others.forEach(union::putIfAbsent);
    return union;
  }
}
