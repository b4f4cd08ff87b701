package io.poolkeeper.turnstile;

import io.poolkeeper.model.Gate;
import java.time.Duration;
import java.util.Optional;
import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;

/**
 * How long gates were closed last by a 429 that did not say for how long: each time in a row twice
 * as long, until a call succeeds that was sent after the gate had opened (architecture, The
 * turnstile). Without it, all retries of a burst would meet the same five-minute window of the
 * network provider.
 *
 * @param last only of gates without a success since
 */
record UnannouncedPauses(HashPMap<Gate, Duration> last) {
  static final UnannouncedPauses NONE = new UnannouncedPauses(HashTreePMap.empty());

  /** How long the gate is to be closed next. */
  Duration next(Gate gate, TurnstileLimits limits) {
    Duration longest = limits.longestPause();
    return Optional.ofNullable(last.get(gate))
        .map(before -> before.multipliedBy(2))
        .map(twice -> twice.compareTo(longest) > 0 ? longest : twice)
        .orElse(limits.firstPause());
  }

  UnannouncedPauses closed(Gate gate, Duration pause) {
    return new UnannouncedPauses(last.plus(gate, pause));
  }

  UnannouncedPauses succeeded(Gate gate) {
    return last.containsKey(gate) ? new UnannouncedPauses(last.minus(gate)) : this;
  }
}
