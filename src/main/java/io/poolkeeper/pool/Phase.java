package io.poolkeeper.pool;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.PermitResult;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.pool.UpdateQueue.Operation;
import io.poolkeeper.ratelimit.PermitAnswer;
import io.poolkeeper.ratelimit.Priority;
import io.poolkeeper.ratelimit.RateLimiterLimits;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The phase of a pool between two writes. A legal transition is a method on the phase it leaves, so
 * that an illegal one does not compile. Times are monotonic.
 */
public sealed interface Phase {
  /**
   * The phase that goes on by itself: this one, or the one that a drain has interrupted. Empty
   * while a permit serves all that waits, and at the end.
   */
  Optional<Quiescent> quiescent();

  /** This phase, with another one that goes on by itself; unchanged if none does. */
  Phase withQuiescent(Quiescent next);

  /** Nothing is in flight, and no permit is requested. */
  sealed interface Quiescent extends Phase {
    @Override
    default Optional<Quiescent> quiescent() {
      return Optional.of(this);
    }

    @Override
    default Quiescent withQuiescent(Quiescent next) {
      return next;
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

    /** The delay of this phase is over: a permit is requested. */
    default Waiting await(Instant now, Priority priority) {
      return new Waiting(now, priority, Optional.empty(), Optional.empty());
    }

    /** A node's state is wrong: a permit is requested at once, and this phase goes on after it. */
    default Waiting drain(Instant now, Priority priority) {
      return new Waiting(now, priority, Optional.empty(), Optional.of(this));
    }

    default Braked brake(Instant until) {
      return new Braked(until);
    }

    default Parked park(Instant now, Instant until) {
      return new Parked(now, until);
    }

    default Stopped stop() {
      return new Stopped();
    }
  }

  /** The phases in which nothing waits to be written. */
  sealed interface Resting extends Quiescent {}

  record Idle() implements Resting {}

  /** The last attempt failed for good; the pool is repaired at that time. */
  record Failed(Instant repairAt) implements Resting {}

  /** Others change the pool again and again; the pool is repaired at that time. */
  record Postponed(Instant repairAt) implements Resting {}

  /** A change waits for further ones, or for the end of the interval. */
  record Gathering(Instant due) implements Quiescent {}

  /** Only a removal waits that the {@link Brake} holds until that time. */
  record Braked(Instant until) implements Quiescent {}

  /**
   * Waits for the end of a {@code Retry-After}: no call, no report, and no retry is consumed (spec
   * 1, Merge Rule).
   */
  record Parked(Instant since, Instant until) implements Quiescent {}

  /**
   * A permit at the load balancer was requested.
   *
   * @param priority what the rate limiter knows of it
   * @param wakeAt when the request must be looked at again if no event comes before; {@link
   *     PermitDemand} sets it
   * @param interrupted the phase that goes on after a drain that takes no change along; empty if
   *     changes or a repair wait
   */
  record Waiting(
      Instant since, Priority priority, Optional<Instant> wakeAt, Optional<Quiescent> interrupted)
      implements Phase {
    @Override
    public Optional<Quiescent> quiescent() {
      return interrupted;
    }

    @Override
    public Waiting withQuiescent(Quiescent next) {
      return new Waiting(since, priority, wakeAt, interrupted.map(replaced -> next));
    }

    Waiting with(Priority other) {
      return new Waiting(since, other, wakeAt, interrupted);
    }

    Waiting wakingAt(Optional<Instant> next) {
      return new Waiting(since, priority, next, interrupted);
    }

    /** The interrupted phase is due: one permit serves it and the drain. */
    Waiting join() {
      return new Waiting(since, priority, wakeAt, Optional.empty());
    }

    Waiting drainOnly() {
      return new Waiting(since, priority, wakeAt, Optional.of(new Idle()));
    }

    /** The permit is used for all that waits. */
    Reading read(PermitAnswer.Granted grant, List<Operation> taken, Instant now) {
      return new Reading(new Attempt(grant, taken, Optional.empty(), now));
    }

    /** The permit is used for admin states alone. */
    Reading readForDrain(PermitAnswer.Granted grant, Instant now) {
      return new Reading(new Attempt(grant, List.of(), interrupted, now));
    }

    /** The permit is not needed any more. */
    Quiescent cancel() {
      return interrupted.orElse(new Idle());
    }

    Stopped stop() {
      return new Stopped();
    }
  }

  /**
   * One GET and at most one PUT under one permit, for the operations it took.
   *
   * @param grant no call may begin after its deadline, as the permit has ended then
   * @param interrupted the phase that goes on after an attempt for admin states alone, which sends
   *     members back as they were read and consumes no retry; empty for any other attempt
   */
  record Attempt(
      PermitAnswer.Granted grant,
      List<Operation> operations,
      Optional<Quiescent> interrupted,
      Instant startedAt) {
    public Attempt {
      operations = List.copyOf(operations);
    }

    private Attempt until(Instant sooner) {
      PermitAnswer.Granted cut =
          new PermitAnswer.Granted(grant.permit(), sooner, grant.evenIfUpdating());
      return new Attempt(cut, operations, interrupted, startedAt);
    }

    private Attempt withQuiescent(Quiescent next) {
      return new Attempt(grant, operations, interrupted.map(replaced -> next), startedAt);
    }

    /** Until when a GET may confirm the PUT; empty if the permit may end before. */
    Optional<Instant> confirmableUntil(Instant now) {
      return Optional.of(now.plus(RateLimiterLimits.VERIFICATION))
          .filter(until -> !until.isAfter(grant.deadline()));
    }

    /** Whether members may be changed. */
    boolean writesMembers() {
      return interrupted.isEmpty();
    }

    /** Whether members may be changed although no change asked for it. */
    boolean isRepair() {
      return writesMembers() && operations.isEmpty();
    }

    /** Whether a retry of one of its changes was reported. */
    boolean retried() {
      return operations.stream().anyMatch(Operation::retried);
    }
  }

  sealed interface Attempting extends Phase {
    Attempt attempt();

    @Override
    default Optional<Quiescent> quiescent() {
      return attempt().interrupted();
    }

    /** Whether its end is reported about a Service, if that one still owns the pool. */
    default boolean concerns(ServiceKey service) {
      return true;
    }

    /** The call that is in flight. */
    Call call();

    default Stopping stop() {
      return new Stopping(attempt().grant().permit(), call());
    }

    default Quiescent end() {
      return attempt().interrupted().orElse(new Idle());
    }

    /**
     * A GET under the same permit is to show what was written; then the pool goes on as it would.
     */
    default Confirming confirm(Phase next, Instant now) {
      return new Confirming(new Attempt(attempt().grant(), List.of(), next.quiescent(), now));
    }
  }

  /** The calls of an attempt; the last one is to show what the PUT has written. */
  enum Call {
    GET,
    PUT,
    CONFIRMING_GET
  }

  /** The GET is in flight. */
  record Reading(Attempt attempt) implements Attempting {
    @Override
    public Call call() {
      return Call.GET;
    }

    @Override
    public Reading withQuiescent(Quiescent next) {
      return new Reading(attempt.withQuiescent(next));
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
    public Call call() {
      return Call.PUT;
    }

    @Override
    public Writing withQuiescent(Quiescent next) {
      return new Writing(attempt.withQuiescent(next), edit, owners);
    }

    @Override
    public boolean concerns(ServiceKey service) {
      return owners.contains(service);
    }
  }

  /**
   * The PUT has set admin states and was reported. A GET under the same permit is in flight that is
   * to show them. The permit is kept so that we write nothing at the load balancer meanwhile.
   */
  record Confirming(Attempt attempt) implements Attempting {
    @Override
    public Call call() {
      return Call.CONFIRMING_GET;
    }

    @Override
    public Confirming withQuiescent(Quiescent next) {
      return new Confirming(attempt.withQuiescent(next));
    }
  }

  /** The phases of a pool that begins nothing any more. */
  sealed interface Ending extends Phase {
    @Override
    default Optional<Quiescent> quiescent() {
      return Optional.empty();
    }

    @Override
    default Ending withQuiescent(Quiescent next) {
      return this;
    }

    default Stopped finish() {
      return new Stopped();
    }
  }

  /** The attempt finishes without a report, when its call in flight ends. */
  record Stopping(long permit, Call call) implements Ending {
    /** The result of the permit if the call succeeds. */
    PermitResult succeeded() {
      return call == Call.GET ? PermitResult.UNCHANGED : PermitResult.SUCCEEDED;
    }

    /** The result of the permit if the call fails; a confirmed PUT has succeeded before. */
    PermitResult failed(ArmFailure failure) {
      return call == Call.CONFIRMING_GET
          ? PermitResult.SUCCEEDED
          : failure.permitResult(call == Call.PUT);
    }
  }

  /** The end of the actor: nothing is in flight. */
  record Stopped() implements Ending {}
}
