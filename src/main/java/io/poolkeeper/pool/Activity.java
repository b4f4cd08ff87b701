package io.poolkeeper.pool;

import io.poolkeeper.model.Pause;
import io.poolkeeper.pool.PoolStatus.State;
import io.poolkeeper.pool.UpdateQueue.Operation;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a pool does at this moment, and the changes that it has not written yet. Times are
 * monotonic.
 *
 * @param why what the pool waits for; empty if for nothing
 * @param until when the pool goes on by itself
 * @param retries the retry counts of what is queued, front first
 * @param pendingSince since when the oldest unwritten change waits, queued or in an attempt
 * @param wouldWrite what shadow mode has decided and not written
 */
public record Activity(
    State state,
    String why,
    Optional<Instant> until,
    List<Integer> retries,
    Optional<Instant> pendingSince,
    WouldWrite wouldWrite) {
  static Activity of(PoolState state) {
    return new Activity(
        state(state),
        why(state),
        until(state),
        state.queue().operations().stream().map(Operation::retryCount).toList(),
        pendingSince(state),
        state.wouldWrite());
  }

  Activity optedOut(String reason) {
    return new Activity(State.OPTED_OUT, reason, until, retries, pendingSince, wouldWrite);
  }

  /** How many changes are queued. */
  public int queued() {
    return retries.size();
  }

  /** Whether a change waits that must not be written. */
  private static boolean held(PoolState state) {
    return state.held()
        && state.phase() instanceof Phase.Quiescent quiescent
        && !(quiescent instanceof Phase.Idle);
  }

  /** Whether a pause keeps the pool waiting, in any state. */
  private static boolean paused(PoolState state) {
    boolean drain = state.desired().drainsPaused() && state.drain().due().isPresent();
    return state.desired().paused().isPresent()
        && (held(state) || (drain && state.phase() instanceof Phase.Quiescent));
  }

  private static Optional<Instant> until(PoolState state) {
    if (paused(state)) {
      return state.desired().paused().map(Pause::ends);
    }
    // A drain has a time of its own, which moves no members.
    return switch (state.phase()) {
      case Phase.Idle i -> state.drainDue();
      case Phase.Quiescent s -> state.changesDue();
      case Phase.Waiting w -> Optional.empty();
      case Phase.Attempting a -> Optional.empty();
      case Phase.Ending e -> Optional.empty();
    };
  }

  private static State state(PoolState state) {
    if (paused(state)) {
      return State.PAUSED;
    }
    return held(state) ? State.HELD : state(state.phase());
  }

  private static State state(Phase phase) {
    return switch (phase) {
      case Phase.Idle i -> State.IDLE;
      case Phase.Gathering g -> State.GATHERING;
      case Phase.Parked p -> State.PARKED;
      case Phase.Braked b -> State.BRAKED;
      case Phase.Waiting w -> State.WAITING;
      case Phase.Reading r -> State.READING;
      case Phase.Confirming c -> State.READING;
      case Phase.Writing w -> State.WRITING;
      case Phase.Failed f -> State.FAILED;
      case Phase.Postponed p -> State.POSTPONED;
      case Phase.Ending e -> State.STOPPED;
    };
  }

  private static Optional<Instant> pendingSince(PoolState state) {
    Stream<Operation> taken =
        state.phase() instanceof Phase.Attempting attempting
            ? attempting.attempt().operations().stream()
            : Stream.empty();
    return Stream.concat(state.queue().operations().stream(), taken)
        .map(Operation::queuedAt)
        .min(Comparator.naturalOrder());
  }

  private static String why(PoolState state) {
    if (state.phase() instanceof Phase.Resting && state.desired().watchLost()) {
      return "a watch of the cluster is lost; nothing is removed or repaired";
    }
    if (held(state) || paused(state)) {
      return state.desired().whyHeld().orElseThrow();
    }
    if (state.phase() instanceof Phase.Idle && !state.wouldWrite().isEmpty()) {
      return "shadow mode: nothing is written";
    }
    return switch (state.phase()) {
      case Phase.Gathering g ->
          state.queue().retryDue().isPresent()
              ? "the last attempt failed; retried soon"
              : "the pool's writes are spaced, up to an interval";
      case Phase.Parked parked -> "ARM said Retry-After " + seconds(parked) + " s";
      case Phase.Braked b -> "a removal of so many entries waits (brake.delay)";
      case Phase.Waiting w -> "the turnstile has not let it pass yet";
      case Phase.Postponed p -> "another client changes it again and again; repaired later";
      case Phase.Failed f -> "the last attempt failed; repaired soon";
      case Phase.Idle i ->
          state
              .leftAlone()
              .orElse(
                  state.desired().unowned() || state.desired().members().complete()
                      ? ""
                      : "no EndpointSlice seen");
      case Phase.Reading r -> "";
      case Phase.Confirming c -> "";
      case Phase.Writing w -> "";
      case Phase.Ending e -> "";
    };
  }

  private static long seconds(Phase.Parked parked) {
    return Duration.between(parked.since(), parked.until()).plusMillis(999).toSeconds();
  }
}
