package io.poolkeeper.node;

import io.poolkeeper.model.Range;
import io.poolkeeper.retry.Backoff;
import io.poolkeeper.retry.Jitter;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * The switches and the pace of the node watcher.
 *
 * @param enabled whether pools hear of nodes at all; if not, nothing is patched either
 * @param spot whether a preemption taints its node
 * @param eventMessages how the messages of events begin that announce a preemption; {@code *} alone
 *     stands for every one that is no known false alarm
 * @param minActive see {@link io.poolkeeper.model.OutOfService}
 * @param window how long the first change after a quiet time waits for others
 * @param extraTaints keys of taints that mean leaving, besides those of {@link Signals}
 */
public record NodeLimits(
    boolean enabled,
    boolean spot,
    List<String> eventMessages,
    int minActive,
    Duration window,
    Set<String> extraTaints) {
  /** A pool has no more entries. */
  public static final Range<Integer> MIN_ACTIVE = new Range<>(0, 5_000);

  public static final Range<Duration> WINDOW = new Range<>(Duration.ZERO, Duration.ofSeconds(10));

  /** So many prefixes, and so many taints, are looked for on each change of a node. */
  public static final int MOST_WORDS = 16;

  /** A spot machine has 30 s, often under 10: a patch that fails is made again soon. */
  static final Backoff PATCH =
      new Backoff(Duration.ofMillis(100), Duration.ofSeconds(10), Jitter.EQUAL);

  /** An older event says nothing: a machine that it was about is gone, or was spared. */
  static final Duration OLDEST_NOTICE = Duration.ofMinutes(10);

  public NodeLimits {
    eventMessages = List.copyOf(eventMessages);
    extraTaints = Set.copyOf(extraTaints);
    if (eventMessages.size() > MOST_WORDS || extraTaints.size() > MOST_WORDS) {
      throw new IllegalArgumentException("more than %d prefixes or taints".formatted(MOST_WORDS));
    }
    MIN_ACTIVE.check("min-active", minActive);
    WINDOW.check("window", window);
  }
}
