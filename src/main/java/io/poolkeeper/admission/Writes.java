package io.poolkeeper.admission;

import io.poolkeeper.model.ObjectEvent;
import io.poolkeeper.retry.Backoff;
import io.poolkeeper.retry.Jitter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.pcollections.HashPMap;

/**
 * The writes of bindings during one decision: one of each binding at a time, none of a version that
 * was refused, and with a gap between two.
 */
final class Writes {
  /** The gap of a write for which another write waits. */
  static final Duration AT_ONCE = Duration.ZERO;

  /** The gap between two statuses, so that no checker makes a hot loop. */
  static final Duration GAP = Duration.ofSeconds(1);

  /** The gap of a binding that is not followed, as anybody may create many of those. */
  static final Duration REFUSED = Duration.ofSeconds(30);

  /** The delays after writes of unknown result. */
  static final Backoff BACKOFF =
      new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1), Jitter.EQUAL);

  private final Instant now;
  private final RandomGenerator random;
  private final List<BindingsEffect> effects;
  private HashPMap<BindingKey, BindingProgress> progress;
  private HashPMap<BindingKey, Instant> wakes;

  Writes(BindingsState state, Instant now, RandomGenerator random, List<BindingsEffect> effects) {
    this.now = now;
    this.random = random;
    this.effects = effects;
    progress = state.progress();
    wakes = state.wakes();
  }

  HashPMap<BindingKey, BindingProgress> progress() {
    return progress;
  }

  /** When each binding must be looked at again. */
  HashPMap<BindingKey, Instant> wakes() {
    return wakes;
  }

  /** The binding was deleted or replaced: its writes do not count any more. */
  void forget(BindingKey key) {
    progress = progress.minus(key);
    wakes = wakes.minus(key);
  }

  Set<BindingKey> due() {
    return wakes.entrySet().stream()
        .filter(wake -> !wake.getValue().isAfter(now))
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  void wake(BindingKey key, Instant at) {
    Instant soonest = wakes.getOrDefault(key, at);
    wakes = wakes.plus(key, at.isBefore(soonest) ? at : soonest);
  }

  void noWake(BindingKey key) {
    wakes = wakes.minus(key);
  }

  /** The status that was written last, if it is known. */
  Optional<BindingReport> reported(BindingKey key) {
    return progressOf(key).reported();
  }

  void emit(ObjectEvent event) {
    effects.add(new BindingsEffect.Emit(event));
  }

  /**
   * Begins a write as soon as it may.
   *
   * @param report the status that it writes, if it writes one
   * @param gap to the last write
   * @return whether it was begun
   */
  boolean write(BindingsEffect.Write write, Optional<BindingReport> report, Duration gap) {
    BindingKey key = write.key();
    BindingProgress before = progressOf(key);
    if (!before.mayWrite(write.version())) {
      return false;
    }
    Instant earliest = before.earliest(gap);
    if (now.isBefore(earliest)) {
      wake(key, earliest);
      return false;
    }
    progress = progress.plus(key, before.begin(write.version(), report, now));
    effects.add(write);
    return true;
  }

  /**
   * A write ended.
   *
   * @param version of the binding that it was made for
   * @return whether it was in flight; a replaced binding has the same name
   */
  boolean ended(BindingKey key, String version, WriteAnswer answer) {
    BindingProgress before = progressOf(key);
    if (before.inFlight().filter(write -> write.version().equals(version)).isEmpty()) {
      return false;
    }
    BindingProgress after =
        switch (answer) {
          case WriteAnswer.Done done -> before.done(now);
          case WriteAnswer.Conflict conflict -> before.conflict();
          case WriteAnswer.Failed failed ->
              before.failed(now, BACKOFF.delay(before.failures() + 1, random));
        };
    progress = progress.plus(key, after);
    return true;
  }

  private BindingProgress progressOf(BindingKey key) {
    return progress.getOrDefault(key, BindingProgress.NONE);
  }
}
