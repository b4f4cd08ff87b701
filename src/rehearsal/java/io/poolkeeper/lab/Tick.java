package io.poolkeeper.lab;

import java.time.Duration;
import java.util.List;

/**
 * What a controller with one tick for all pools would have done: it writes every change at the next
 * tick after it, in no time. The first tick is an interval after the start.
 *
 * @param startNanos monotonic
 */
public record Tick(long startNanos, Duration interval) {
  public long millisFrom(long nanos) {
    long length = interval.toNanos();
    return (length - Math.floorMod(nanos - startNanos, length)) / 1_000_000;
  }

  public String at(long nanos, List<Change> changes) {
    long last = nanos + millisFrom(nanos) * 1_000_000 - interval.toNanos();
    long written = changes.stream().filter(change -> change.atNanos() <= last).count();
    String rest =
        written == changes.size()
            ? "all"
            : "%d of %d changes, the rest in %.1f s"
                .formatted(written, changes.size(), millisFrom(nanos) / 1e3);
    return "a tick every %d s would have written %s".formatted(interval.toSeconds(), rest);
  }
}
