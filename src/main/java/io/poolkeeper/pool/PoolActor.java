package io.poolkeeper.pool;

import io.poolkeeper.actor.CoreActor;
import io.poolkeeper.actor.WakeUp;
import io.poolkeeper.arm.ArmException;
import io.poolkeeper.arm.PoolDocument;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.turnstile.TurnstileActor;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one backend pool equal to the wish of its Services. Policy: {@link PoolCore}; the actor's
 * mailbox is the pool's lock.
 */
public final class PoolActor
    extends CoreActor<PoolActor.Command, PoolState, PoolEvent, PoolEffect> {
  private static final Logger log = LoggerFactory.getLogger(PoolActor.class);

  /** What the owner may say to a pool. */
  public sealed interface Command {}

  /** A Service that owns the pool wants this level. */
  public record Desire(Assignment assignment, Level level) implements Command {}

  /** The Service does not own the pool any more. */
  public record Release(ServiceKey service) implements Command {}

  /** A listing that was asked for at {@code startedAt} showed the pool so. */
  public record Observed(PoolView view, Instant startedAt) implements Command {}

  /** Another dirty pool turned clean: ARM may do as asked again. */
  public enum OtherRecovered implements Command {
    INSTANCE
  }

  /** Finish quietly what is in flight, begin nothing, and end. */
  public enum Stop implements Command {
    INSTANCE
  }

  private record TurnGranted(PoolEvent.TurnGranted event) implements Command {}

  private enum TimerDue implements Command {
    INSTANCE
  }

  private record ReadFinished(@Nullable PoolDocument document, @Nullable Throwable error)
      implements Command {}

  private record WriteFinished(@Nullable Throwable error) implements Command {}

  /** What a pool says to its owner. */
  public sealed interface Feedback {}

  /** An attempt failed: the pool may differ from its wish. */
  public record TurnedDirty(PoolId pool) implements Feedback {}

  /** The pool is known to equal its wish again, or is nobody's. */
  public record TurnedClean(PoolId pool) implements Feedback {}

  /** The pool is not as the last listing showed it. */
  public record ListingWanted(PoolId pool) implements Feedback {}

  private final PoolId id;
  private final PoolDeps deps;
  private final ActorRef<Feedback> owner;
  private final ActorRef<TurnstileActor.Granted> granted;
  private @Nullable PoolDocument document;
  private boolean halted;
  private boolean leftAlone;
  private long writes;
  private long failures;

  public static Behavior<Command> create(PoolId id, PoolDeps deps, ActorRef<Feedback> owner) {
    return Behaviors.setup(
        context -> Behaviors.withTimers(timers -> new PoolActor(context, timers, id, deps, owner)));
  }

  private PoolActor(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      PoolId id,
      PoolDeps deps,
      ActorRef<Feedback> owner) {
    super(
        context,
        new PoolCore(deps.limits()),
        PoolState.initial(),
        new WakeUp<>(timers, deps.clock(), TimerDue.INSTANCE),
        deps.randoms().get());
    this.id = id;
    this.deps = deps;
    this.owner = owner;
    this.granted =
        context.messageAdapter(
            TurnstileActor.Granted.class,
            grant ->
                new TurnGranted(
                    new PoolEvent.TurnGranted(
                        grant.turn(), grant.deadline(), grant.evenIfUpdating())));
  }

  @Override
  public Behavior<Command> onMessage(Command command) {
    switch (command) {
      case Desire desire -> decide(new PoolEvent.Desire(desire.assignment(), desire.level()));
      case Release release -> decide(new PoolEvent.Release(release.service()));
      case Observed seen -> decide(new PoolEvent.Observed(seen.view(), seen.startedAt()));
      case OtherRecovered other -> decide(new PoolEvent.OtherRecovered());
      case TurnGranted granted -> decide(granted.event());
      case ReadFinished read -> onReadFinished(read);
      case WriteFinished write -> decide(written(write.error()));
      case TimerDue due -> decide(new PoolEvent.TimerDue());
      case Stop stop -> decide(new PoolEvent.Stop());
    }
    return halted ? Behaviors.stopped() : this;
  }

  private void onReadFinished(ReadFinished read) {
    document = read.document();
    decide(document != null ? new PoolEvent.ReadDone(document.view()) : failed(read.error()));
  }

  private static PoolEvent written(@Nullable Throwable error) {
    return error == null ? new PoolEvent.WriteDone() : failed(error);
  }

  private static PoolEvent failed(@Nullable Throwable error) {
    return new PoolEvent.AttemptFailed(ArmException.failureIn(Objects.requireNonNull(error)));
  }

  @Override
  protected void report(PoolState before, PoolState after) {
    // Of a pool that only finishes, another actor of the same pool may speak by now.
    if (!after.equals(before) && !(after.phase() instanceof Phase.Stopped)) {
      deps.observer().changed(PoolStatus.of(id, after, writes, failures));
    }
  }

  @Override
  protected void run(PoolEffect effect) {
    ActorRef<Command> self = getContext().getSelf();
    switch (effect) {
      case PoolEffect.RequestTurn r ->
          deps.turnstile().tell(new TurnstileActor.RequestTurn(id, self, r.lane(), granted));
      case PoolEffect.CancelTurn c -> deps.turnstile().tell(new TurnstileActor.CancelTurn(self));
      case PoolEffect.ReturnTurn back ->
          deps.turnstile().tell(new TurnstileActor.ReturnTurn(self, back.turn(), back.result()));
      case PoolEffect.Read r -> getContext().pipeToSelf(deps.pools().get(id), ReadFinished::new);
      case PoolEffect.Write write -> write(write.edit());
      case PoolEffect.Emit emit -> deps.events().record(emit.event());
      case PoolEffect.Finish finish -> onFinish(finish);
      case PoolEffect.RepairFailed failed ->
          logFailure(level(failed.news()), "failed", failed.took(), failed.failure());
      case PoolEffect.RepairsSlowest slowest ->
          log.warn("pool={} repairs=slowest failures={}", id, slowest.failures());
      case PoolEffect.Retry retry -> deps.observer().retrying(id, retry.reason());
      case PoolEffect.Requeue requeue -> onRequeue(requeue);
      case PoolEffect.LeaveAlone alone -> onLeaveAlone(alone.why());
      case PoolEffect.AskForListing ask -> owner.tell(new ListingWanted(id));
      case PoolEffect.ReportDirty dirty ->
          owner.tell(dirty.dirty() ? new TurnedDirty(id) : new TurnedClean(id));
      case PoolEffect.Halt h -> halted = true;
    }
  }

  private void write(PoolEdit edit) {
    PoolDocument base = document;
    if (base == null) {
      throw new IllegalStateException("a PUT without a GET: " + id);
    }
    getContext()
        .pipeToSelf(deps.pools().put(base, edit), (done, error) -> new WriteFinished(error));
    document = null;
  }

  private void onFinish(PoolEffect.Finish finish) {
    deps.observer().finished(id, finish.outcome(), finish.took());
    switch (finish.outcome()) {
      case UPDATED -> {
        writes++;
        log.info("pool={} outcome=updated took={}ms", id, finish.took().toMillis());
      }
      case FAILED -> {
        failures++;
        finish
            .failure()
            .ifPresent(
                failure -> logFailure(level(finish.news()), "failed", finish.took(), failure));
      }
    }
  }

  /** The same failure again is of no interest to most. */
  private static org.slf4j.event.Level level(boolean news) {
    return news ? org.slf4j.event.Level.WARN : org.slf4j.event.Level.DEBUG;
  }

  private void logFailure(
      org.slf4j.event.Level level, String outcome, Duration took, ArmFailure failure) {
    log.atLevel(level)
        .log("pool={} outcome={} took={}ms error=\"{}\"", id, outcome, took.toMillis(), failure);
  }

  private void onRequeue(PoolEffect.Requeue requeue) {
    log.atLevel(level(requeue.news()))
        .log(
            "pool={} outcome=retrying took={}ms queued={} until={} error=\"{}\"",
            id,
            requeue.took().toMillis(),
            requeue.operations(),
            state().wakeAt().map(Instant::toString).orElse(""),
            requeue.failure());
  }

  private void onLeaveAlone(String why) {
    if (!leftAlone) {
      leftAlone = true;
      log.warn("pool={} outcome=left-alone why=\"{}\"", id, why);
    }
  }
}
