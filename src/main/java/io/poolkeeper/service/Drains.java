package io.poolkeeper.service;

import io.poolkeeper.model.OutOfService;
import java.time.Instant;
import java.util.Set;

/**
 * The nodes that are out of service, as pools were sent them.
 *
 * @param at when that became known; monotonic
 * @param listed the version of the set when the last listing was requested
 * @param interfaces the IP configurations in pools that do not name their machine, folded
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

  Drains withInterfaces(Set<String> inPools) {
    return new Drains(set, at, listed, inPools);
  }

  /** Whether a set was received; before, pools need not be sent any. */
  boolean known() {
    return set.version() > 0;
  }

  /** Whether pools may have to be written, or can show what they could not show before. */
  boolean differs(OutOfService next) {
    boolean watchIsBack = known() && !set.live() && next.live();
    return watchIsBack || !set.leavesAs(next);
  }
}
