package io.poolkeeper.armsim.model;

import java.util.Map;
import java.util.Optional;
import scala.collection.immutable.VectorMap;
import scala.collection.immutable.VectorMap$;
import scala.jdk.javaapi.CollectionConverters;

/**
 * A map in the order of insertion. Immutable and persistent: a snapshot costs nothing, and a change
 * costs the same for any number of entries.
 */
record OrderedMap<K, V>(VectorMap<K, V> entries) {
  static <K, V> OrderedMap<K, V> empty() {
    return new OrderedMap<>(VectorMap$.MODULE$.empty());
  }

  Map<K, V> asMap() {
    return CollectionConverters.asJava(entries);
  }

  Optional<V> find(K key) {
    return Optional.ofNullable(asMap().get(key));
  }

  OrderedMap<K, V> with(K key, V value) {
    return new OrderedMap<>(entries.updated(key, value));
  }

  OrderedMap<K, V> without(K key) {
    return new OrderedMap<>(entries.removed(key));
  }
}
