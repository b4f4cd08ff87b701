package io.poolkeeper.simulation;

import io.poolkeeper.judge.Disturbance;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * How long entries were wrong, in milliseconds: all together, what the base alone judged, and the
 * largest wait of each kind of disturbance, or of none ({@code NONE}).
 */
record Figures(long wrong, long byBaseAlone, Map<String, Long> largest) {
  static final Figures NONE = new Figures(0, 0, Map.of());

  static Figures of(Duration lasted, Duration ran, Set<Disturbance> kinds) {
    Map<String, Long> largest = new TreeMap<>();
    kinds.forEach(kind -> largest.put(kind.name(), ran.toMillis()));
    if (kinds.isEmpty()) {
      largest.put("NONE", ran.toMillis());
    }
    return new Figures(lasted.toMillis(), kinds.isEmpty() ? lasted.toMillis() : 0, largest);
  }

  Figures plus(Figures other) {
    Map<String, Long> both = new TreeMap<>(largest);
    other.largest.forEach((kind, millis) -> both.merge(kind, millis, Math::max));
    return new Figures(wrong + other.wrong, byBaseAlone + other.byBaseAlone, both);
  }
}
