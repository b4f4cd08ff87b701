package io.poolkeeper.pool;

import io.poolkeeper.actor.CoreActor;
import io.poolkeeper.arm.ArmException;
import io.poolkeeper.arm.BackendPools;
import io.poolkeeper.arm.PoolDocument;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.AdminState;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.ratelimit.PermitAnswer;
import io.poolkeeper.ratelimit.RateLimiterActor;
import io.poolkeeper.ratelimit.RateLimiterEvent;
import io.poolkeeper.ratelimit.Requester;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Signal;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one backend pool equal to what its Services desire. Policy: {@link PoolCore}; the actor's
 * mailbox is the pool's lock.
 */
public final class PoolActor extends CoreActor<PoolEvent, PoolState, PoolEffect> {
  /**
   * What every pool actor shares.
   *
   * @param drains hears how far each pool has followed the nodes that are out of service
   * @param clock monotonic
   * @param randoms a generator of its own for each actor
   */
  public record Deps(
      BackendPools pools,
      ActorRef<Command<RateLimiterEvent>> rateLimiter,
      EventRecorder events,
      PoolObserver observer,
      BiConsumer<PoolId, AdminReport> drains,
      InstantSource clock,
      Supplier<RandomGenerator> randoms,
      PoolLimits limits) {}

  private static final Logger log = LoggerFactory.getLogger(PoolActor.class);
  private static final int SHOWN = 10;
  private static final Future<?> NO_CALL = CompletableFuture.completedFuture(null);

  private final PoolId id;
  private final Requester requester;
  private final Deps deps;
  private final Consumer<PoolReport> owner;
  private Future<?> call = NO_CALL;

  /** The edit of the attempt in flight, for the log. */
  private PoolEdit edit = PoolEdit.NONE;

  /**
   * An actor for one pool.
   *
   * @param requester the pool, with its own number at the rate limiter
   * @param owner is called on the actor's thread, and must not block
   */
  public static Behavior<Command<PoolEvent>> create(
      Requester requester, Deps deps, Consumer<PoolReport> owner) {
    return begin(pekko -> new PoolActor(pekko, requester, deps, owner));
  }

  private PoolActor(
      PekkoContext<PoolEvent> pekko, Requester requester, Deps deps, Consumer<PoolReport> owner) {
    super(
        pekko,
        new PoolCore(deps.limits()),
        PoolState.initial(),
        deps.clock(),
        new PoolEvent.TimerDue(),
        deps.randoms().get());
    this.id = requester.pool();
    this.requester = requester;
    this.deps = deps;
    this.owner = owner;
    ActorRef<PermitAnswer> answers =
        getContext()
            .messageAdapter(
                PermitAnswer.class, answer -> new Event<>(new PoolEvent.PermitAnswered(answer)));
    deps.rateLimiter()
        .tell(new RateLimiterActor.Register(requester, getContext().getSelf(), answers));
  }

  @Override
  protected void decide(PoolEvent event) {
    if (call.isDone()) {
      call = NO_CALL; // or the document of the last GET would be kept as long as the actor
    }
    deps.observer().around(id, () -> super.decide(event));
  }

  @Override
  protected boolean ended() {
    return state().phase() instanceof Phase.Stopped;
  }

  @Override
  public Behavior<Command<PoolEvent>> onSignal(Signal signal) {
    if (signal instanceof PostStop) {
      call.cancel(true);
    }
    return super.onSignal(signal);
  }

  private <T> CompletionStage<T> inFlight(CompletionStage<T> started) {
    call = started.toCompletableFuture();
    return started;
  }

  private static Command<PoolEvent> read(
      @Nullable PoolDocument document, @Nullable Throwable error) {
    return document == null ? failed(error) : new Event<>(new PoolEvent.ReadDone(document));
  }

  private static Command<PoolEvent> failed(@Nullable Throwable error) {
    return new Event<>(
        new PoolEvent.AttemptFailed(ArmException.failureIn(Objects.requireNonNull(error))));
  }

  @Override
  protected void report(PoolState before, PoolState after) {
    // A pool that is ending stays silent: a new actor of the same pool may report already.
    if (!after.showsAs(before) && !(after.phase() instanceof Phase.Ending)) {
      deps.observer().changed(PoolStatus.of(id, after));
    }
  }

  @Override
  protected void run(PoolEffect effect) {
    deps.observer().ran(id, effect);
    switch (effect) {
      case PoolEffect.RequestPermit r ->
          tell(new RateLimiterEvent.Requested(requester, r.priority()));
      case PoolEffect.CancelRequest c -> tell(new RateLimiterEvent.Cancelled(requester));
      case PoolEffect.ReturnPermit returned ->
          tell(new RateLimiterEvent.Returned(requester, returned.permit(), returned.result()));
      case PoolEffect.Read read -> {
        edit = PoolEdit.NONE;
        getContext().pipeToSelf(inFlight(deps.pools().get(id, read.deadline())), PoolActor::read);
      }
      case PoolEffect.Write write -> {
        edit = write.edit();
        getContext()
            .pipeToSelf(
                inFlight(deps.pools().put(write.read(), edit, write.deadline())),
                (done, error) ->
                    error == null ? new Event<>(new PoolEvent.WriteDone()) : failed(error));
      }
      case PoolEffect.Emit emit -> deps.events().record(emit.event());
      case PoolEffect.Updated updated -> logUpdated(updated.took());
      case PoolEffect.Failed failed -> logFailure(failed.failure(), failed.took(), failed.news());
      case PoolEffect.Drained drained ->
          log.info(
              "pool={} admin-states=written entries={} took={}ms",
              id,
              drained.states(),
              drained.took().toMillis());
      case PoolEffect.DrainFailed failed -> onDrainFailed(failed);
      case PoolEffect.RepairFailed failed ->
          logFailure(failed.failure(), failed.took(), failed.news());
      case PoolEffect.RepairPostponed postponed -> onPostponed(postponed);
      case PoolEffect.RepairsSlowest slowest ->
          log.warn("pool={} repairs=slowest failures={}", id, slowest.failures());
      // These two are only counted.
      case PoolEffect.Retry retry -> {}
      case PoolEffect.Throttled throttled -> {}
      case PoolEffect.Requeue requeue -> onRequeue(requeue);
      case PoolEffect.LeaveAlone alone ->
          log.warn("pool={} outcome=left-alone why=\"{}\"", id, alone.why());
      case PoolEffect.Found found -> onFound(found);
      case PoolEffect.Braked braked -> onBraked(braked);
      case PoolEffect.Shadowed shadowed -> logShadowed(shadowed.edit());
      case PoolEffect.Report report -> owner.accept(report.report());
      case PoolEffect.Followed followed -> deps.drains().accept(id, followed.report());
    }
  }

  private void tell(RateLimiterEvent event) {
    deps.rateLimiter().tell(new Event<>(event));
  }

  private void onDrainFailed(PoolEffect.DrainFailed failed) {
    log.atLevel(level(failed.news()))
        .log(
            "pool={} admin-states=failed took={}ms error=\"{}\"",
            id,
            failed.took().toMillis(),
            failed.failure().inFull());
  }

  /** With the first few changes of each kind that the write made. */
  private void logUpdated(Duration took) {
    StringBuilder format = new StringBuilder("pool={} outcome=updated took={}ms");
    List<Object> values = new ArrayList<>(List.of(id, took.toMillis()));
    BiConsumer<String, Stream<String>> field =
        (name, changes) ->
            firstFew(changes)
                .ifPresent(
                    text -> {
                      format.append(' ').append(name).append("={}");
                      values.add(text);
                    });
    field.accept("added", edit.add().keySet().stream().map(Address::text));
    field.accept("removed", edit.remove().stream().sorted().map(Address::text));
    field.accept("down", entriesSetTo(edit, AdminState.DOWN));
    field.accept("none", entriesSetTo(edit, AdminState.NONE));
    log.info(format.toString(), values.toArray());
  }

  private void logShadowed(PoolEdit would) {
    log.info(
        "pool={} outcome=would-write add=\"{}\" remove=\"{}\" admin-states=\"{}\"",
        id,
        would.add().keySet(),
        would.remove(),
        would.adminStates());
  }

  private static Stream<String> entriesSetTo(PoolEdit edit, AdminState state) {
    return edit.adminStates().entrySet().stream()
        .filter(entry -> entry.getValue() == state)
        .map(Map.Entry::getKey);
  }

  private static Optional<String> firstFew(Stream<String> changes) {
    List<String> all = changes.toList();
    int left = all.size() - SHOWN;
    String shown = String.join(",", all.subList(0, Math.min(SHOWN, all.size())));
    return all.isEmpty() ? Optional.empty() : Optional.of(shown + (left > 0 ? ",+" + left : ""));
  }

  /** A repeated failure is logged at a lower level. */
  private static org.slf4j.event.Level level(boolean news) {
    return news ? org.slf4j.event.Level.WARN : org.slf4j.event.Level.DEBUG;
  }

  private void logFailure(ArmFailure failure, Duration took, boolean news) {
    log.atLevel(level(news))
        .log(
            "pool={} outcome=failed took={}ms error=\"{}\"", id, took.toMillis(), failure.inFull());
  }

  private void onPostponed(PoolEffect.RepairPostponed postponed) {
    log.atLevel(level(postponed.news()))
        .log(
            "pool={} repairs=postponed drifts={} delay={}s why=\"another client changes it again"
                + " and again\"",
            id,
            postponed.drifts(),
            postponed.delay().toSeconds());
  }

  private void onFound(PoolEffect.Found found) {
    log.warn("pool={} outcome=leftover-found what=\"{}\"", id, found.text());
    found.events().forEach(deps.events()::record);
  }

  private void onBraked(PoolEffect.Braked braked) {
    log.warn("pool={} outcome=removal-held why=\"{}\"", id, braked.text());
    braked.events().forEach(deps.events()::record);
  }

  private void onRequeue(PoolEffect.Requeue requeue) {
    log.atLevel(level(requeue.news()))
        .log(
            "pool={} outcome=retrying took={}ms queued={} until={} error=\"{}\"",
            id,
            requeue.took().toMillis(),
            requeue.operations(),
            state().wakeAt().map(Instant::toString).orElse(""),
            requeue.failure().inFull());
  }
}
