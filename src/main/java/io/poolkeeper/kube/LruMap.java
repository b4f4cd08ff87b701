package io.poolkeeper.kube;

import java.io.Serial;
import java.util.LinkedHashMap;
import java.util.Map;

/** A map that evicts the least recently used key when it would exceed its bound. */
final class LruMap<K, V> extends LinkedHashMap<K, V> {
  @Serial private static final long serialVersionUID = 1L;

  private final int bound;

  LruMap(int bound) {
    super(16, 0.75f, true);
    this.bound = bound;
  }

  @Override
  protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
    return size() > bound;
  }
}
