package io.poolkeeper.service;

import io.poolkeeper.model.OutOfService;
import io.poolkeeper.pool.PoolEvent;
import java.time.Instant;
import java.util.Set;

/**
 * The nodes that are out of service, as all pools know it.
 *
 * @param at when it came; monotonic
 * @param listed its version when the last listing was asked for
 * @param interfaces the IP configurations in pools that do not say whose they are, folded
 */
record Drains(OutOfService set, Instant at, long listed, Set<String> interfaces) {
  static final Drains NONE = new Drains(OutOfService.UNKNOWN, Instant.MIN, 0, Set.of());

  Drains {
    interfaces = Set.copyOf(interfaces);
  }

  Drains with(OutOfService next, Instant now) {
    return new Drains(next, now, listed, interfaces);
  }

  Drains listing() {
    return new Drains(set, at, set.version(), interfaces);
  }

  Drains with(Set<String> others) {
    return new Drains(set, at, listed, others);
  }

  /** Whether anything is known; else pools need not be sent it. */
  boolean known() {
    return set.version() > 0;
  }

  /** Whether pools may have to be written, or may show at last what they could not before. */
  boolean differs(OutOfService next) {
    boolean back = known() && !set.live() && next.live();
    return back || !set.leaving().keySet().equals(next.leaving().keySet());
  }

  PoolEvent event() {
    return new PoolEvent.NodesOutOfService(set, at);
  }
}
