package io.poolkeeper.watch;

import java.util.Map;
import java.util.Optional;

/** One delivery of a watch to the actor that follows its objects. */
public sealed interface Delivery<K, V> {
  /** Changed objects as they are now; empty for one that is deleted or irrelevant. */
  record Changes<K, V>(Map<K, Optional<V>> views) implements Delivery<K, V> {}

  /** What was delivered may be old, until the next {@link Synced}. */
  record Lost<K, V>() implements Delivery<K, V> {}

  /** All objects of a list are delivered: of the first one, and of the one after each loss. */
  record Synced<K, V>(int list) implements Delivery<K, V> {}
}
