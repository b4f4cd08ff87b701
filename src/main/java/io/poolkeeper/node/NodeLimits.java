package io.poolkeeper.node;

import io.poolkeeper.model.Range;
import io.poolkeeper.retry.Backoff;
import io.poolkeeper.retry.Jitter;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The switches and the pace of the node watcher.
 *
 * @param enabled whether pools hear of nodes at all; if not, nothing is patched either
 * @param minActive see {@link io.poolkeeper.model.OutOfService}
 * @param window how long the first change after a quiet time waits for others
 * @param extraTaints keys of taints that mean leaving, besides those of {@link Signals}
 */
public record NodeLimits(
    boolean enabled, SpotLimits spot, int minActive, Duration window, Set<String> extraTaints) {
  /** The number of entries that a pool may have. */
  public static final Range<Integer> MIN_ACTIVE = new Range<>(0, 5_000);

  public static final Range<Duration> WINDOW = new Range<>(Duration.ZERO, Duration.ofSeconds(10));

  /** The maximum of words in each list, which are compared on each change of a node or event. */
  public static final int MOST_WORDS = 16;

  /** The delays of failed patches: a spot machine has 30 s, often less than 10. */
  static final Backoff PATCH =
      new Backoff(Duration.ofMillis(100), Duration.ofSeconds(10), Jitter.EQUAL);

  /** The age of an event after which it is ignored: its machine was deleted, or was spared. */
  static final Duration OLDEST_NOTICE = Duration.ofMinutes(10);

  public NodeLimits {
    extraTaints = Set.copyOf(extraTaints);
    if (Stream.of(spot.eventMessages(), spot.eventNamespaces(), spot.eventSources(), extraTaints)
        .anyMatch(words -> words.size() > MOST_WORDS)) {
      throw new IllegalArgumentException("a list of more than %d words".formatted(MOST_WORDS));
    }
    MIN_ACTIVE.check("min-active", minActive);
    WINDOW.check("window", window);
  }
}
