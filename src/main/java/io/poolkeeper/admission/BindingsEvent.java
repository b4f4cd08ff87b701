package io.poolkeeper.admission;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.Mark;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.pool.PoolStatus;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What can happen to the bindings; the messages of their actor. */
public sealed interface BindingsEvent {
  /** Bindings as they are now; empty for one that was deleted. */
  record Changed(Map<BindingKey, Optional<BindingView>> changes) implements BindingsEvent {}

  /** The cache holds all bindings, at the start and after the loss of its watch. */
  record Synced() implements BindingsEvent {}

  /** Bindings may have changed unseen, until the cache is synced again. */
  record WatchLost() implements BindingsEvent {}

  /** Whether all is paused from now on: no binding is written. */
  record Paused(boolean paused) implements BindingsEvent {}

  record Lead() implements BindingsEvent {}

  /** The cluster's mark; empty if it could not be read. */
  record MarkRead(Optional<Mark> mark) implements BindingsEvent {}

  /**
   * What the last listing has shown of the pools that bindings name.
   *
   * @param missing the pools that do not exist
   * @param unread the pools of groups that could not be listed
   * @param optedOut the pools that are not touched, each with the reason
   */
  record Listed(Set<PoolId> missing, Map<PoolId, ArmFailure> unread, Map<PoolId, String> optedOut)
      implements BindingsEvent {
    static final Listed NOTHING = new Listed(Set.of(), Map.of(), Map.of());

    public Listed {
      missing = Set.copyOf(missing);
      unread = Map.copyOf(unread);
      optedOut = Map.copyOf(optedOut);
    }

    /** The same listing without its knowledge of a pool. */
    Listed without(PoolId pool) {
      Set<PoolId> left = new HashSet<>(missing);
      left.remove(pool);
      return new Listed(left, unread, optedOut);
    }

    /** The pools about which two listings differ. The text of a failure may differ each time. */
    Set<PoolId> differing(Listed other) {
      Set<PoolId> pools = new HashSet<>();
      for (Listed listed : List.of(this, other)) {
        pools.addAll(listed.missing);
        pools.addAll(listed.unread.keySet());
        pools.addAll(listed.optedOut.keySet());
      }
      pools.removeIf(
          pool ->
              missing.contains(pool) == other.missing.contains(pool)
                  && sameClass(unread.get(pool), other.unread.get(pool))
                  && Objects.equals(optedOut.get(pool), other.optedOut.get(pool)));
      return pools;
    }

    private static boolean sameClass(@Nullable ArmFailure before, @Nullable ArmFailure after) {
      return before == null ? after == null : after != null && before.sameClass(after);
    }
  }

  /** A pool as its actor knows it. */
  record PoolShown(PoolStatus status) implements BindingsEvent {}

  record PoolForgotten(PoolId pool) implements BindingsEvent {}

  /** A write of that version of a binding ended. */
  record Written(BindingKey binding, String version, WriteAnswer answer) implements BindingsEvent {}

  record TimerDue() implements BindingsEvent {}

  /** The process ends; nothing is written any more. */
  record Stop() implements BindingsEvent {}
}
