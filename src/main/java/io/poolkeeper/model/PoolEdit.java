package io.poolkeeper.model;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The change of one pool in a PUT. Everything else is sent back as it was read.
 *
 * @param remove entries to leave out, by address
 * @param add entries to append: address to entry name; names are unique in the resulting pool
 */
public record PoolEdit(Set<Address> remove, SortedMap<Address, String> add) {
  public PoolEdit {
    remove = Set.copyOf(remove);
    add = Collections.unmodifiableSortedMap(new TreeMap<>(add));
    if (add.values().stream().anyMatch(String::isBlank)) {
      throw new IllegalArgumentException("an entry of a pool needs a name");
    }
  }

  public static PoolEdit of(Set<Address> remove, Map<Address, String> add) {
    return new PoolEdit(remove, new TreeMap<>(add));
  }

  public boolean isEmpty() {
    return remove.isEmpty() && add.isEmpty();
  }
}
