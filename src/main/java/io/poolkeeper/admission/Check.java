package io.poolkeeper.admission;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
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
    State state,
    Optional<Instant> lastTransitionTime,
    String message,
    Optional<Integer> requeueAfterSeconds,
    int retryCount) {
  /** What a check has answered; the order is from the least to the most restrictive. */
  public enum State {
    /** Writes may go, as far as this check is concerned. */
    READY("Ready"),
    /** It has been asked and has not answered. */
    PENDING("Pending"),
    /** Not now: ask again after a delay of the check's own choice. */
    RETRY("Retry"),
    /** No, until the check itself or the spec changes. */
    REJECTED("Rejected");

    private final String text;

    State(String text) {
      this.text = text;
    }

    /** Empty for a word that the API does not know. */
    public static Optional<State> parse(String text) {
      return Arrays.stream(values()).filter(state -> state.text.equals(text)).findFirst();
    }

    /** As in the API. */
    @Override
    public String toString() {
      return text;
    }
  }

  public Check {
    requeueAfterSeconds = requeueAfterSeconds.filter(seconds -> seconds >= 0);
    retryCount = Math.max(0, retryCount);
  }

  /** A check that has just been asked for the first time. */
  static Check pending(String name, Instant now) {
    return new Check(name, State.PENDING, Optional.of(now), "", Optional.empty(), 0);
  }

  /** Reads a check; an unknown state counts as {@code Pending}, and the message says so. */
  public static Check read(
      String name,
      String state,
      Optional<Instant> lastTransitionTime,
      String message,
      Optional<Integer> requeueAfterSeconds,
      int retryCount) {
    Optional<State> known = State.parse(state);
    return new Check(
        name,
        known.orElse(State.PENDING),
        lastTransitionTime,
        known.isPresent() ? message : "unknown state \"%s\"".formatted(state),
        requeueAfterSeconds,
        retryCount);
  }

  boolean is(State other) {
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
        is(State.RETRY) ? requeueAfterSeconds : Optional.empty(),
        is(State.READY) ? 0 : retryCount);
  }

  /** The check asked again: a {@code Retry} counts, one that is still {@code Pending} stays. */
  Check reset(Instant now, AdmissionLimits limits) {
    if (is(State.PENDING)) {
      return this;
    }
    int count = is(State.RETRY) ? Math.min(limits.retryCount(), retryCount + 1) : retryCount;
    String was = "Reset to Pending, was " + state + (message.isEmpty() ? "" : ": " + message);
    return new Check(
        name, State.PENDING, Optional.of(now), limits.cut(was), Optional.empty(), count);
  }
}
