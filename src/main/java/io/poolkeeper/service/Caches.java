package io.poolkeeper.service;

import org.pcollections.HashTreePSet;
import org.pcollections.MapPSet;

/**
 * The state of the caches, by kind. Pools are sent when the first watch is lost, and when all are
 * live again.
 *
 * @param synced the kinds that are complete
 * @param lost those whose watches are lost: what was delivered may be old
 * @param firstUnseen ownerships with smaller numbers were made while all watches were live
 */
record Caches(MapPSet<CacheKind> synced, MapPSet<CacheKind> lost, long firstUnseen) {
  static final Caches NONE = new Caches(HashTreePSet.empty(), HashTreePSet.empty(), 0);

  boolean complete() {
    return synced.size() == CacheKind.values().length;
  }

  boolean anyLost() {
    return !lost.isEmpty();
  }

  Caches lost(CacheKind kind, long nextNumber) {
    return new Caches(synced, lost.plus(kind), anyLost() ? firstUnseen : nextNumber);
  }

  Caches synced(CacheKind kind) {
    return new Caches(synced.plus(kind), lost.minus(kind), firstUnseen);
  }
}
