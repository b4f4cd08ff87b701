package io.poolkeeper.pool;

import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.pool.UpdateQueue.Operation;
import io.poolkeeper.turnstile.Priority;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The phase of a pool between two writes. A legal transition is a method on the phase it leaves, so
 * that an illegal one does not compile. Times are monotonic.
 */
public sealed interface Phase {
  /** Changes that gather, after a drain as well, have another time. */
  default Phase gatheringUntil(Instant due) {
    return this;
  }

  /** The phases with nothing in flight and no turn requested. */
  sealed interface Still extends Phase {
    @Override
    default Still gatheringUntil(Instant due) {
      return this;
    }

    default Idle idle() {
      return new Idle();
    }

    default Failed fail(Instant repairAt) {
      return new Failed(repairAt);
    }

    default Gathering gather(Instant due) {
      return new Gathering(due);
    }

    /** The time has come. */
    default Waiting await(Instant now, Priority priority, Optional<Instant> earlyUntil) {
      return new Waiting(now, priority, earlyUntil, Optional.empty());
    }

    /** A node's state is wrong; that does not wait for what this phase waits for. */
    default Waiting drain(Instant now, Priority priority) {
      return new Waiting(now, priority, Optional.empty(), Optional.of(this));
    }

    default Parked park(Instant now, Instant until) {
      return new Parked(now, until);
    }

    default Stopped stop() {
      return new Stopped();
    }
  }

  /** The phases in which nothing waits to be written. */
  sealed interface Resting extends Still {}

  /** Nothing to do. */
  record Idle() implements Resting {}

  /** The last attempt failed for good; the pool repairs itself then. */
  record Failed(Instant repairAt) implements Resting {}

  /** Others damage the pool again and again; it is repaired then. */
  record Postponed(Instant repairAt) implements Resting {}

  /** A change waits for further ones, or for the end of the interval. */
  record Gathering(Instant due) implements Still {
    @Override
    public Gathering gatheringUntil(Instant other) {
      return new Gathering(other);
    }
  }

  /**
   * Waits for the end of a {@code Retry-After}: no call, no report, and no retry is consumed (spec
   * 1, Merge Rule).
   */
  record Parked(Instant since, Instant until) implements Still {}

  /**
   * A turn at the load balancer was requested.
   *
   * @param priority what the turnstile knows of it
   * @param earlyUntil when its fresh changes are not early any more; empty if they are not, or if
   *     there are none
   * @param interrupted what goes on after a drain that takes no change along; empty if changes or a
   *     repair wait
   */
  record Waiting(
      Instant since, Priority priority, Optional<Instant> earlyUntil, Optional<Still> interrupted)
      implements Phase {
    @Override
    public Waiting gatheringUntil(Instant due) {
      return new Waiting(
          since, priority, earlyUntil, interrupted.map(still -> still.gatheringUntil(due)));
    }

    Waiting with(Priority other, Optional<Instant> until) {
      return new Waiting(since, other, until, interrupted);
    }

    /** What goes on after the drain has changed; it is not under way. */
    Waiting resumes(Phase other) {
      Optional<Still> next = other instanceof Still still ? Optional.of(still) : interrupted;
      return new Waiting(since, priority, earlyUntil, next);
    }

    /** Nothing but admin states is left to be written. */
    Waiting drainOnly() {
      return new Waiting(
          since, priority, Optional.empty(), interrupted.or(() -> Optional.of(new Idle())));
    }

    /** With all that waits. */
    Reading read(PoolEvent.TurnGranted grant, List<Operation> taken, Instant now) {
      return read(grant, taken, Optional.empty(), now);
    }

    /** For admin states alone. */
    Reading readOnly(PoolEvent.TurnGranted grant, Still next, Instant now) {
      return read(grant, List.of(), Optional.of(next), now);
    }

    private static Reading read(
        PoolEvent.TurnGranted grant, List<Operation> taken, Optional<Still> after, Instant now) {
      return new Reading(
          new Attempt(grant.turn(), taken, after, now, grant.deadline(), grant.evenIfUpdating()));
    }

    /** Nothing is left to do with a turn. */
    Still cancel() {
      return interrupted.orElse(new Idle());
    }

    Stopped stop() {
      return new Stopped();
    }
  }

  /**
   * One GET and at most one PUT under one turn, for the operations it took.
   *
   * @param interrupted what goes on after it if it is for admin states alone: then members are sent
   *     back as they were read, and its failure costs them nothing
   * @param deadline no call may begin after it, as the turn has ended then
   * @param evenIfUpdating whether to write although another client's write is in flight
   */
  record Attempt(
      long turn,
      List<Operation> operations,
      Optional<Still> interrupted,
      Instant startedAt,
      Instant deadline,
      boolean evenIfUpdating) {
    public Attempt {
      operations = List.copyOf(operations);
    }

    /** The turn ends sooner. */
    Attempt until(Instant sooner) {
      return new Attempt(turn, operations, interrupted, startedAt, sooner, evenIfUpdating);
    }

    Attempt gatheringUntil(Instant due) {
      Optional<Still> after = interrupted.map(still -> still.gatheringUntil(due));
      return new Attempt(turn, operations, after, startedAt, deadline, evenIfUpdating);
    }

    /** Whether members may be changed. */
    boolean members() {
      return interrupted.isEmpty();
    }

    /** Whether members may be changed, and no change asked for it. */
    boolean repair() {
      return members() && operations.isEmpty();
    }

    /** Whether a retry of one of its changes was reported. */
    boolean retried() {
      return operations.stream().anyMatch(Operation::retried);
    }
  }

  /** The phases of an attempt. */
  sealed interface Attempting extends Phase {
    Attempt attempt();

    /** Whether its end is reported about a Service, if that one still owns the pool. */
    default boolean concerns(ServiceKey service) {
      return true;
    }

    default Stopping stop() {
      return new Stopping(attempt().turn());
    }

    /** The attempt is over; what comes next follows from what is left to do. */
    default Still end() {
      return attempt().interrupted().orElse(new Idle());
    }
  }

  /** The GET is in flight. */
  record Reading(Attempt attempt) implements Attempting {
    @Override
    public Reading gatheringUntil(Instant due) {
      return new Reading(attempt.gatheringUntil(due));
    }

    Reading until(Instant sooner) {
      return new Reading(attempt.until(sooner));
    }

    Writing write(PoolEdit edit, Set<ServiceKey> owners) {
      return new Writing(attempt, edit, owners);
    }
  }

  /**
   * The PUT is in flight, up to the end of its operation.
   *
   * @param owners the Services it was planned for: those whose rule the GET showed
   */
  record Writing(Attempt attempt, PoolEdit edit, Set<ServiceKey> owners) implements Attempting {
    public Writing {
      owners = Set.copyOf(owners);
    }

    @Override
    public Writing gatheringUntil(Instant due) {
      return new Writing(attempt.gatheringUntil(due), edit, owners);
    }

    @Override
    public boolean concerns(ServiceKey service) {
      return owners.contains(service);
    }
  }

  /** The phases in which nothing is begun any more. */
  sealed interface Ending extends Phase {
    default Stopped finish() {
      return new Stopped();
    }
  }

  /** The attempt in flight finishes without a report; its turn goes back with the actor's end. */
  record Stopping(long turn) implements Ending {}

  /** The end of the actor: nothing is in flight. */
  record Stopped() implements Ending {}
}
