package io.poolkeeper.pool;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.AdminState;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.Pause;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.pool.UpdateQueue.Operation;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The public status of a pool: the item of {@code /api/v1/pools}.
 *
 * @param services the Services that own the pool, each with what it is known to want
 * @param why what it waits for; empty if for nothing
 * @param until when it goes on by itself, monotonic time
 * @param retries the retry counts of what is queued, front first
 * @param desired the known part of what is desired
 * @param inPool the addresses last seen in the pool
 * @param down those of them whose admin state was Down
 * @param entriesDown the entries whose admin state was Down, those without an address included
 * @param entriesUp those whose admin state was Up: on a node in service it is left alone
 * @param leftovers what is wrong in the pool as it was seen last, and since when; monotonic time
 * @param pendingSince since when the oldest change waits that ARM does not have yet, be it queued
 *     or in an attempt; monotonic time
 * @param added the addresses of the entries that carry the mark of the pool's binding
 * @param clear the time of {@link BoundPool#leaving}, once a GET that began then or later under a
 *     turn has shown none of those
 * @param wouldWrite what shadow mode has decided and not written
 * @param interfaces whether a member is a network interface, so that no address can be added
 * @param difference from what is desired
 * @param picture for those who look at this one pool
 */
public record PoolStatus(
    PoolId id,
    Map<ServiceKey, Set<Address>> services,
    State state,
    String why,
    Optional<Instant> until,
    List<Integer> retries,
    Set<Address> desired,
    Set<Address> inPool,
    Set<Address> down,
    int entriesDown,
    int entriesUp,
    SortedMap<Leftover, Instant> leftovers,
    Optional<Instant> lastWrite,
    Optional<ArmFailure> lastError,
    Optional<Instant> pendingSince,
    long writes,
    long failures,
    Set<Address> added,
    Optional<Instant> clear,
    WouldWrite wouldWrite,
    boolean interfaces,
    Difference difference,
    PoolPicture picture) {
  /** The public states: those of the phases, and what holds them. Their names are a contract. */
  public enum State {
    IDLE("Idle"),
    GATHERING("Gathering"),
    PARKED("Parked"),
    BRAKED("Braked"),
    HELD("Held"),
    PAUSED("Paused"),
    WAITING("Waiting"),
    READING("Reading"),
    WRITING("Writing"),
    FAILED("Failed"),
    POSTPONED("Postponed"),
    STOPPED("Stopped"),
    OPTED_OUT("OptedOut");

    private final String text;

    State(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  /** The status of a pool that is not managed: nobody follows it. */
  public static PoolStatus optedOut(PoolId id, Collection<ServiceKey> services, String why) {
    return of(
        id,
        PoolState.initial(),
        services.stream()
            .collect(Collectors.toUnmodifiableMap(Function.identity(), any -> Set.of())),
        State.OPTED_OUT,
        why);
  }

  static PoolStatus of(PoolId id, PoolState state) {
    return of(id, state, services(state), state(state), why(state));
  }

  private static PoolStatus of(
      PoolId id, PoolState state, Map<ServiceKey, Set<Address>> services, State shown, String why) {
    return new PoolStatus(
        id,
        services,
        shown,
        why,
        until(state),
        state.queue().operations().stream().map(Operation::retryCount).toList(),
        Set.copyOf(state.desired().members().members().keySet()),
        state.observed().map(PoolView::addresses).orElse(Set.of()),
        state.observed().map(PoolView::down).orElse(Set.of()),
        count(state, AdminState.DOWN),
        count(state, AdminState.UP),
        state.leftovers().since(),
        state.history().lastWrite(),
        state.failing().map(Failing::last),
        pendingSince(state),
        state.history().writes(),
        state.history().failures(),
        state.observed().flatMap(seen -> marked(state, seen)).orElse(Set.of()),
        // The time of the deletion, as a GET may have begun before the pool heard of that.
        state.desired().leaving().filter(any -> !state.leaves()),
        state.wouldWrite(),
        state.observed().filter(seen -> !seen.ipBased()).isPresent(),
        Difference.of(state),
        new PoolPicture(state));
  }

  /** How many changes are queued. */
  public int queued() {
    return retries.size();
  }

  /** How many of the desired addresses are in the pool. */
  public int right() {
    return Math.toIntExact(desired.stream().filter(inPool::contains).count());
  }

  private static Map<ServiceKey, Set<Address>> services(PoolState state) {
    return state.desired().services().values().stream()
        .collect(
            Collectors.toUnmodifiableMap(
                one -> one.assignment().service(), one -> one.level().addresses()));
  }

  private static Optional<Set<Address>> marked(PoolState state, PoolView seen) {
    return state.desired().bound().map(of -> seen.marked(of.mark()));
  }

  private static int count(PoolState state, AdminState of) {
    return state.observed().map(seen -> seen.count(of)).orElse(0);
  }

  /** Whether the pool waits for the end of a {@code Retry-After}. */
  public boolean parked() {
    return state == State.PARKED;
  }

  /** Whether the pool has asked for a turn and waits for it. */
  public boolean waiting() {
    return state == State.WAITING;
  }

  /** Whether a change waits that must not be written. */
  private static boolean held(PoolState state) {
    return state.held()
        && state.phase() instanceof Phase.Still still
        && !(still instanceof Phase.Idle);
  }

  /** Whether a pause keeps the pool waiting, in any state. */
  private static boolean paused(PoolState state) {
    boolean drain = state.desired().drainsPaused() && state.drain().due().isPresent();
    return state.desired().paused().isPresent()
        && (held(state) || (drain && state.phase() instanceof Phase.Still));
  }

  private static Optional<Instant> until(PoolState state) {
    if (paused(state)) {
      return state.desired().paused().map(Pause::ends);
    }
    // A drain has a time of its own, which moves no members.
    return switch (state.phase()) {
      case Phase.Idle i -> state.drainDue();
      case Phase.Still s -> state.changesDue();
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
    if (state.phase() instanceof Phase.Resting && state.desired().lost()) {
      return "a watch of the cluster is lost; nothing is removed or repaired";
    }
    if (held(state) || paused(state)) {
      return state.desired().held().orElseThrow();
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
