package io.poolkeeper.model;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The change of one pool in a PUT. Everything else is sent back as it was read.
 *
 * @param remove entries to leave out, by address
 * @param mark if present, only entries of this mark are left out, even if others have the address,
 *     too
 * @param add entries to append: address to entry name; names are unique in the resulting pool
 * @param adminStates the states to set, by the name of an entry that stays or is added; never
 *     {@link AdminState#UP}
 */
public record PoolEdit(
    Set<Address> remove,
    SortedMap<Address, String> add,
    SortedMap<String, AdminState> adminStates,
    Optional<Mark> mark) {
  public static final PoolEdit NONE = of(Set.of(), Map.of());

  public PoolEdit {
    remove = Set.copyOf(remove);
    add = Collections.unmodifiableSortedMap(new TreeMap<>(add));
    adminStates = Collections.unmodifiableSortedMap(new TreeMap<>(adminStates));
    if (add.values().stream().anyMatch(String::isBlank)) {
      throw new IllegalArgumentException("an entry of a pool needs a name");
    }
    if (adminStates.containsValue(AdminState.UP)) {
      throw new IllegalArgumentException("Up is never written: " + adminStates);
    }
  }

  public static PoolEdit of(Set<Address> remove, Map<Address, String> add) {
    return of(remove, add, Optional.empty());
  }

  /** An edit of the members that carry a mark. */
  public static PoolEdit of(Set<Address> remove, Map<Address, String> add, Optional<Mark> mark) {
    return new PoolEdit(remove, new TreeMap<>(add), new TreeMap<>(), mark);
  }

  /** This edit of the members, with other admin states. */
  public PoolEdit with(SortedMap<String, AdminState> states) {
    return new PoolEdit(remove, add, states, mark);
  }

  /** This edit without added entries. */
  public PoolEdit removals() {
    return of(remove, Map.of(), mark);
  }

  /** Whether the entry is left out. */
  public boolean removes(String entry, Optional<Address> address) {
    return address.filter(remove::contains).isPresent() && (mark.isEmpty() || mark.get().on(entry));
  }

  public boolean isEmpty() {
    return !changesMembers() && adminStates.isEmpty();
  }

  public boolean changesMembers() {
    return !remove.isEmpty() || !add.isEmpty();
  }
}
