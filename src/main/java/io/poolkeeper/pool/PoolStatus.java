package io.poolkeeper.pool;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.ServiceKey;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The public status of a pool, for {@code /api/v1/pools}. Times are monotonic.
 *
 * @param services the Services that own the pool, each with what it is known to want
 * @param picture all details of the pool
 */
public record PoolStatus(
    PoolId id,
    Map<ServiceKey, Set<Address>> services,
    Activity activity,
    Membership members,
    PastAttempts attempts,
    PoolPicture picture) {
  /**
   * The members as they were seen last, and as they are desired.
   *
   * @param desired the known part of what is desired
   * @param inPool the addresses in the pool
   * @param down those of them whose admin state was Down
   * @param added the addresses of the entries that carry the mark of the pool's binding
   * @param interfaces whether a member is a network interface, so that no address can be added
   * @param difference from what is desired
   */
  public record Membership(
      Set<Address> desired,
      Set<Address> inPool,
      Set<Address> down,
      Set<Address> added,
      boolean interfaces,
      Difference difference) {
    static Membership of(PoolState state) {
      Desired desired = state.desired();
      Optional<PoolView> seen = state.observed();
      return new Membership(
          Set.copyOf(desired.members().members().keySet()),
          seen.map(PoolView::addresses).orElse(Set.of()),
          seen.map(PoolView::down).orElse(Set.of()),
          desired
              .bound()
              .flatMap(bound -> seen.map(view -> view.marked(bound.mark())))
              .orElse(Set.of()),
          seen.filter(view -> !view.ipBased()).isPresent(),
          Difference.of(state));
    }

    /** How many of the desired addresses are in the pool. */
    public int right() {
      return Math.toIntExact(desired.stream().filter(inPool::contains).count());
    }
  }

  /**
   * What became of the attempts.
   *
   * @param lastError empty if the last attempt did not fail
   * @param clear the time of {@link BoundPool#leaving}, once a GET that began then or later under a
   *     permit has shown no entry that carries the mark
   */
  public record PastAttempts(
      Optional<Instant> lastWrite,
      Optional<ArmFailure> lastError,
      long writes,
      long failures,
      Optional<Instant> clear) {
    static PastAttempts of(PoolState state) {
      return new PastAttempts(
          state.history().lastWrite(),
          state.failing().map(Failing::last),
          state.history().counts().writes(),
          state.history().counts().failures(),
          // The time of the deletion, as a GET may have begun before the pool heard of that.
          state.bindingLeaves() ? Optional.empty() : state.desired().leaving());
    }
  }

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

  public State state() {
    return activity.state();
  }

  public Difference difference() {
    return members.difference();
  }

  /** The last error; empty if the last attempt did not fail. */
  public Optional<ArmFailure> lastError() {
    return attempts.lastError();
  }

  /** The status of a pool that is not managed: nobody follows it. */
  public static PoolStatus optedOut(PoolId id, Collection<ServiceKey> services, String why) {
    PoolStatus unknown = of(id, PoolState.initial());
    return new PoolStatus(
        id,
        services.stream()
            .collect(Collectors.toUnmodifiableMap(Function.identity(), service -> Set.of())),
        unknown.activity.optedOut(why),
        unknown.members,
        unknown.attempts,
        unknown.picture);
  }

  static PoolStatus of(PoolId id, PoolState state) {
    return new PoolStatus(
        id,
        state.desired().services().values().stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    Ownership::service, owner -> owner.level().addresses())),
        Activity.of(state),
        Membership.of(state),
        PastAttempts.of(state),
        new PoolPicture(state));
  }
}
