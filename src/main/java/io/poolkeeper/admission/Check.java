package io.poolkeeper.admission;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * One check of one binding, as the binding's status has it. What the API server's validation would
 * refuse is read in the careful way, as the embedded one does not validate.
 *
 * @param lastTransitionTime when the state changed, converted to our clock; empty if not said
 * @param message for people
 * @param requeueAfterSeconds in {@code Retry}: the delay from {@code lastTransitionTime}; empty: at
 *     once. A negative one counts as none
 * @param retryCount how often it was reset from {@code Retry}, since it was last {@code Ready}; not
 *     negative
 */
public record Check(
    String name,
    CheckState state,
    Optional<Instant> lastTransitionTime,
    String message,
    Optional<Integer> requeueAfterSeconds,
    int retryCount) {
  public Check {
    requeueAfterSeconds = requeueAfterSeconds.filter(seconds -> seconds >= 0);
    retryCount = Math.max(0, retryCount);
  }

  /** A check that has just been asked for the first time. */
  static Check pending(String name, Instant now) {
    return new Check(name, CheckState.PENDING, Optional.of(now), "", Optional.empty(), 0);
  }

  /** Reads a check; an unknown state counts as {@code Pending}, and the message says so. */
  public static Check read(
      String name,
      String state,
      Optional<Instant> lastTransitionTime,
      String message,
      Optional<Integer> requeueAfterSeconds,
      int retryCount) {
    Optional<CheckState> known = CheckState.parse(state);
    return new Check(
        name,
        known.orElse(CheckState.PENDING),
        lastTransitionTime,
        known.isPresent() ? message : "unknown state \"%s\"".formatted(state),
        requeueAfterSeconds,
        retryCount);
  }

  boolean is(CheckState other) {
    return state == other;
  }

  Duration delay() {
    return Duration.ofSeconds(requeueAfterSeconds.orElse(0));
  }

  public Check since(Instant time) {
    return new Check(name, state, Optional.of(time), message, requeueAfterSeconds, retryCount);
  }

  /** Only {@code Retry} has a delay, and {@code Ready} ends the series of retries. */
  Check settled() {
    return new Check(
        name,
        state,
        lastTransitionTime,
        message,
        is(CheckState.RETRY) ? requeueAfterSeconds : Optional.empty(),
        is(CheckState.READY) ? 0 : retryCount);
  }

  /** The check asked again: a {@code Retry} counts, one that is still {@code Pending} stays. */
  Check reset(Instant now, AdmissionLimits limits) {
    if (is(CheckState.PENDING)) {
      return this;
    }
    int count = is(CheckState.RETRY) ? Math.min(limits.retryCount(), retryCount + 1) : retryCount;
    String was = "Reset to Pending, was " + state + (message.isEmpty() ? "" : ": " + message);
    return new Check(
        name, CheckState.PENDING, Optional.of(now), limits.cut(was), Optional.empty(), count);
  }
}
