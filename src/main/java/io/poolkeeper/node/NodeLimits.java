package io.poolkeeper.node;

import io.poolkeeper.retry.Backoff;
import io.poolkeeper.retry.Jitter;
import java.time.Duration;

/**
 * The switches and the pace of the node watcher.
 *
 * @param enabled whether pools hear of nodes at all; if not, nothing is patched either
 * @param spot whether a preemption taints its node
 * @param minActive see {@link io.poolkeeper.model.OutOfService}; 0 or more
 * @param window how long the first change after a quiet time waits for others; 0 to 10 s
 */
public record NodeLimits(boolean enabled, boolean spot, int minActive, Duration window) {
  /** A spot machine has 30 s, often under 10: a patch that fails is made again soon. */
  static final Backoff PATCH =
      new Backoff(Duration.ofMillis(100), Duration.ofSeconds(10), Jitter.EQUAL);

  /** An older event says nothing: a machine that it was about is gone, or was spared. */
  static final Duration OLDEST_NOTICE = Duration.ofMinutes(10);

  public NodeLimits {
    if (minActive < 0) {
      throw new IllegalArgumentException("min-active must be 0 or more, not " + minActive);
    }
    if (window.isNegative() || window.compareTo(Duration.ofSeconds(10)) > 0) {
      throw new IllegalArgumentException("window must be 0 to 10s, not " + window);
    }
  }
}
