package io.poolkeeper.pool;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.NodeKey;
import java.util.Collections;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What one Service wants in a pool, whole: a level, not a change. A repeated, late or replaced
 * level can do no harm.
 */
public sealed interface Level {
  /** The addresses that the Service is known to want. */
  default Set<Address> addresses() {
    return switch (this) {
      case Unknown u -> Set.of();
      case Exactly exactly -> exactly.members().keySet();
    };
  }

  /** Whether both want the same entries, whatever nodes are known beside them. */
  default boolean hasMembersOf(Level other) {
    return this instanceof Exactly mine
        && other instanceof Exactly others
        && mine.members().equals(others.members())
        && mine.kept().equals(others.kept());
  }

  /** Why endpoints are ignored, if some name no node or no member is left; empty if not. */
  default String warning() {
    return this instanceof Exactly exactly
            && (exactly.ignored().nodeless() > 0 || exactly.members().isEmpty())
        ? exactly.ignored().toString()
        : "";
  }

  /** No EndpointSlice of the Service was seen: nothing is known, so nothing is touched. */
  record Unknown() implements Level {}

  /**
   * The addresses of all nodes that the Service's slices name.
   *
   * @param members address to the node whose name its entry gets
   * @param kept the addresses of nodes that are to be deleted soon: an entry that is there stays,
   *     so that its connections drain, and none is added
   * @param keepUnknown present while a node named by a slice has no Node object or no address at
   *     all yet: an entry that belongs to none of these nodes may be that node's, and so it stays
   * @param ignored the endpoints that get no entry
   */
  record Exactly(
      NavigableMap<Address, NodeKey> members,
      Set<Address> kept,
      Optional<KnownNodes> keepUnknown,
      IgnoredEndpoints ignored)
      implements Level {
    public Exactly {
      members = Collections.unmodifiableNavigableMap(new TreeMap<>(members));
      kept = Set.copyOf(kept);
    }

    /** All endpoints are on nodes that may be members. */
    public Exactly(NavigableMap<Address, NodeKey> members, Optional<KnownNodes> keepUnknown) {
      this(members, Set.of(), keepUnknown, IgnoredEndpoints.NONE);
    }
  }
}
