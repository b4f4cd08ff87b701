package io.poolkeeper.admission;

import io.poolkeeper.retry.Backoff;
import io.poolkeeper.retry.Jitter;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.pcollections.HashPMap;

/**
 * The writes of bindings during one decision: one of each binding at a time, not of a version that
 * was refused, and not faster than {@link #GAP}.
 */
final class Writes {
  /** A status is written at most so often, but for what another write waits for. */
  static final Duration GAP = Duration.ofSeconds(1);

  /** After a write of unknown result. */
  static final Backoff BACKOFF =
      new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1), Jitter.EQUAL);

  private final Instant now;
  private final RandomGenerator random;
  private final List<BindingsEffect> effects;
  private HashPMap<BindingKey, Progress> progress;
  private HashPMap<BindingKey, Instant> wakes;

  /** What is written is added to the effects. */
  Writes(BindingsState state, Instant now, RandomGenerator random, List<BindingsEffect> effects) {
    this.now = now;
    this.random = random;
    this.effects = effects;
    progress = state.progress();
    wakes = state.wakes();
  }

  HashPMap<BindingKey, Progress> progress() {
    return progress;
  }

  /** When each must be looked at again. */
  HashPMap<BindingKey, Instant> wakes() {
    return wakes;
  }

  /** The others are gone. */
  void retain(Set<BindingKey> there) {
    progress = progress.minusAll(gone(progress.keySet(), there));
    wakes = wakes.minusAll(gone(wakes.keySet(), there));
  }

  private static Set<BindingKey> gone(Collection<BindingKey> of, Set<BindingKey> there) {
    Set<BindingKey> gone = new HashSet<>(of);
    gone.removeAll(there);
    return gone;
  }

  Set<BindingKey> due() {
    return wakes.entrySet().stream()
        .filter(wake -> !wake.getValue().isAfter(now))
        .map(wake -> wake.getKey())
        .collect(Collectors.toSet());
  }

  void wake(BindingKey key, Instant at) {
    Instant soonest = wakes.getOrDefault(key, at);
    wakes = wakes.plus(key, at.isBefore(soonest) ? at : soonest);
  }

  void noWake(BindingKey key) {
    wakes = wakes.minus(key);
  }

  /** What was written last, if it is known. */
  Optional<BindingReport> reported(BindingKey key) {
    return of(key).reported();
  }

  /**
   * Writes once it may.
   *
   * @param report what is reported by it, if anything
   * @param urgent whether another write waits for this one
   */
  void write(BindingsEffect.Write write, Optional<BindingReport> report, boolean urgent) {
    BindingView view = write.binding();
    Progress before = of(view.key());
    boolean failing = before.failures() > 0;
    if (!before.mayWrite(view)) {
      return;
    }
    if (now.isBefore(before.notBefore()) && (failing || !urgent)) {
      wake(view.key(), before.notBefore());
      return;
    }
    progress = progress.plus(view.key(), before.begin(view, report));
    effects.add(write);
  }

  /**
   * A write has ended.
   *
   * @return the version that it was of; empty if none was under way
   */
  Optional<String> ended(BindingKey key, WriteAnswer answer) {
    Progress before = of(key);
    Optional<String> version = before.inFlight().map(Progress.InFlight::version);
    if (version.isPresent()) {
      Progress after =
          switch (answer) {
            case WriteAnswer.Done done -> before.done(now.plus(GAP));
            case WriteAnswer.Conflict conflict -> before.conflict();
            case WriteAnswer.Failed failed ->
                before.failed(now, BACKOFF.delay(before.failures() + 1, random));
          };
      progress = progress.plus(key, after);
    }
    return version;
  }

  private Progress of(BindingKey key) {
    return progress.getOrDefault(key, Progress.NONE);
  }
}
