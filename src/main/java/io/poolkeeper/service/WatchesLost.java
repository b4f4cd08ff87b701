package io.poolkeeper.service;

import java.util.EnumSet;
import java.util.Set;

/**
 * The watches that are lost: what was delivered may be old. Pools hear of the first loss and of the
 * end of the last one.
 *
 * @param lost the kinds whose watches are lost
 * @param firstUnseen assignments with smaller numbers were made while all watches were live
 */
record WatchesLost(Set<CacheKind> lost, long firstUnseen) {
  static final WatchesLost NONE = new WatchesLost(Set.of(), 0);

  WatchesLost {
    lost = Set.copyOf(lost);
  }

  boolean any() {
    return !lost.isEmpty();
  }

  WatchesLost with(CacheKind kind, long nextNumber) {
    Set<CacheKind> all = EnumSet.of(kind);
    all.addAll(lost);
    return new WatchesLost(all, any() ? firstUnseen : nextNumber);
  }

  WatchesLost without(CacheKind kind) {
    Set<CacheKind> all = EnumSet.noneOf(CacheKind.class);
    all.addAll(lost);
    all.remove(kind);
    return new WatchesLost(all, firstUnseen);
  }
}
