package io.poolkeeper.admission;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Optional;

/**
 * One check of one binding, as the binding's status has it. A value that the API server's
 * validation would refuse is read in the cautious way, as the embedded server does not validate.
 *
 * @param lastTransitionTime when the state changed, by the API server's clock and as its status has
 *     it, in whole seconds; empty if not said
 * @param message for people
 * @param requeueAfterSeconds in {@code Retry}: the delay from {@code lastTransitionTime}; empty: at
 *     once. A negative one counts as none
 * @param retryCount how often it was reset from {@code Retry} since it was last {@code Ready}; not
 *     negative
 */
public record Check(
    String name,
    State state,
    Optional<Instant> lastTransitionTime,
    String message,
    Optional<Integer> requeueAfterSeconds,
    int retryCount) {
  /** The answers of a check, from the least to the most restrictive. */
  public enum State {
    /** The check admits writes. */
    READY("Ready"),
    /** The check was asked and has not answered. */
    PENDING("Pending"),
    /** The check admits no writes for now; it is asked again after a delay of its choice. */
    RETRY("Retry"),
    /** The check admits no writes until it or the spec changes. */
    REJECTED("Rejected");

    private final String text;

    State(String text) {
      this.text = text;
    }

    /** Empty for a word that the API does not know. */
    public static Optional<State> parse(String text) {
      return Arrays.stream(values()).filter(state -> state.text.equals(text)).findFirst();
    }

    /** The word of the API. */
    @Override
    public String toString() {
      return text;
    }
  }

  public Check {
    lastTransitionTime = lastTransitionTime.map(at -> at.truncatedTo(ChronoUnit.SECONDS));
    requeueAfterSeconds = requeueAfterSeconds.filter(seconds -> seconds >= 0);
    retryCount = Math.max(0, retryCount);
  }

  /** A check that is asked for the first time. */
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
    State counted = known.orElse(State.PENDING);
    String text = known.isPresent() ? message : "unknown state \"%s\"".formatted(state);
    return new Check(name, counted, lastTransitionTime, text, requeueAfterSeconds, retryCount);
  }

  Duration delay() {
    return Duration.ofSeconds(requeueAfterSeconds.orElse(0));
  }

  public Check since(Instant time) {
    return new Check(name, state, Optional.of(time), message, requeueAfterSeconds, retryCount);
  }

  /** The check as it counts: only {@code Retry} has a delay; {@code Ready} ends its retries. */
  Check settled() {
    Optional<Integer> delay = state == State.RETRY ? requeueAfterSeconds : Optional.empty();
    int retries = state == State.READY ? 0 : retryCount;
    return new Check(name, state, lastTransitionTime, message, delay, retries);
  }

  /** The check asked again: a {@code Retry} counts, one that is still {@code Pending} stays. */
  Check reset(Instant now, AdmissionLimits limits) {
    if (state == State.PENDING) {
      return this;
    }
    int count = state == State.RETRY ? Math.min(limits.retryCount(), retryCount + 1) : retryCount;
    String was = "Reset to Pending, was " + state + (message.isEmpty() ? "" : ": " + message);
    return new Check(
        name, State.PENDING, Optional.of(now), limits.cut(was), Optional.empty(), count);
  }
}
