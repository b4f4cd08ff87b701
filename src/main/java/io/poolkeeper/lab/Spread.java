package io.poolkeeper.lab;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Percentiles of measured milliseconds; null if none were measured. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Spread(int count, @Nullable Long p50, @Nullable Long p99, @Nullable Long max) {
  public static Spread of(List<Long> millis) {
    if (millis.isEmpty()) {
      return new Spread(0, null, null, null);
    }
    List<Long> sorted = millis.stream().sorted().toList();
    return new Spread(sorted.size(), rank(sorted, 50), rank(sorted, 99), sorted.getLast());
  }

  /** The smallest value that at least so many percent of the values do not exceed. */
  private static long rank(List<Long> sorted, int percent) {
    return sorted.get(Math.max(0, (int) Math.ceil(sorted.size() * percent / 100.0) - 1));
  }
}
