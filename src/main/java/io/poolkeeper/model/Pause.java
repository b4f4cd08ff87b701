package io.poolkeeper.model;

import java.time.Instant;

/**
 * A pause of all replicas, from annotations of the leader's Lease: members and bindings wait.
 *
 * @param until the end of the pause, of the time of day
 * @param ends the same time, monotonic
 * @param reason for people; empty if none was given
 * @param drains whether admin states and taints wait, too
 */
public record Pause(Instant until, Instant ends, String reason, boolean drains) {
  /** The pause in words. */
  public String text() {
    return "paused until %s%s%s"
        .formatted(until, drains ? ", drains too" : "", reason.isEmpty() ? "" : ": " + reason);
  }
}
