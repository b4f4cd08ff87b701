package io.poolkeeper.simulation;

import io.poolkeeper.arm.ArmException;
import io.poolkeeper.arm.BackendPools;
import io.poolkeeper.arm.PoolDocument;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.RetryReason;
import io.poolkeeper.pool.Outcome;
import io.poolkeeper.pool.PoolActor;
import io.poolkeeper.pool.PoolDeps;
import io.poolkeeper.pool.PoolEffect;
import io.poolkeeper.pool.PoolEvent;
import io.poolkeeper.pool.PoolLimits;
import io.poolkeeper.pool.PoolObserver;
import io.poolkeeper.pool.PoolReport;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.turnstile.TurnstileActor;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.apache.pekko.actor.testkit.typed.Effect;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/** A pool's actor that lives through events at given times, and what it does, a line each. */
final class PoolActorReplay implements BackendPools, PoolObserver {
  private final TestInbox<TurnstileActor.Command> turnstile = TestInbox.create();
  private final TestInbox<PoolReport> owner = TestInbox.create();
  private final List<String> done = new ArrayList<>();
  private final BehaviorTestKit<PoolEvent> kit;
  private CompletableFuture<PoolDocument> reading = new CompletableFuture<>();
  private CompletableFuture<Void> writing = new CompletableFuture<>();
  private @Nullable ActorRef<TurnstileActor.Granted> granted;
  private final ReplayedTimer timer = new ReplayedTimer();
  private Instant now = Instant.EPOCH;
  private boolean reads;

  PoolActorReplay(PoolId id, long seed, PoolLimits limits) {
    PoolDeps deps =
        new PoolDeps(
            this,
            turnstile.getRef(),
            event -> done.add("event " + event),
            this,
            () -> now,
            () -> new SplittableRandom(seed),
            limits);
    kit = BehaviorTestKit.create(PoolActor.create(id, deps, owner.getRef()::tell));
  }

  /**
   * What the actor does about an event: its calls, then what it tells the turnstile and its owner.
   */
  List<String> lives(Instant at, PoolEvent event) {
    now = at;
    done.clear();
    switch (event) {
      case PoolEvent.Desire desire -> kit.run(event);
      case PoolEvent.Release release -> kit.run(event);
      case PoolEvent.Observed observed -> kit.run(event);
      case PoolEvent.OtherRecovered other -> kit.run(event);
      case PoolEvent.Stop stop -> kit.run(event);
      case PoolEvent.TimerDue due -> timer.fires(kit);
      case PoolEvent.TurnGranted grant -> {
        granted.tell(
            new TurnstileActor.Granted(grant.turn(), grant.deadline(), grant.evenIfUpdating()));
        kit.runOne();
      }
      case PoolEvent.ReadDone read -> {
        reading.complete(read.document());
        kit.runOne();
      }
      case PoolEvent.WriteDone written -> {
        writing.complete(null);
        kit.runOne();
      }
      case PoolEvent.AttemptFailed failed -> {
        ArmException error = new ArmException(failed.failure());
        if (reads) {
          reading.completeExceptionally(error);
        } else {
          writing.completeExceptionally(error);
        }
        kit.runOne();
      }
    }
    collect();
    return List.copyOf(done);
  }

  /** When the actor's timer is due; never, once it has ended. */
  Optional<Instant> wakesAt() {
    return kit.isAlive() ? timer.due(now) : Optional.empty();
  }

  private void collect() {
    for (TurnstileActor.Command message : turnstile.getAllReceived()) {
      switch (message) {
        case TurnstileActor.RequestTurn request -> {
          granted = request.replyTo();
          done.add("asks for a turn " + request.lane());
        }
        case TurnstileActor.CancelTurn cancel -> done.add("leaves the line");
        case TurnstileActor.ReturnTurn back ->
            done.add("gives back %d %s".formatted(back.turn(), back.result()));
        default -> done.add("says " + message);
      }
    }
    for (PoolReport message : owner.getAllReceived()) {
      done.add("tells its owner " + message);
    }
    for (Effect effect : kit.getAllEffects()) {
      timer.hear(effect, now);
    }
    if (!kit.isAlive()) {
      done.add("ends");
    }
  }

  /** What the simulator's cell did, in the same words; each receiver's in the order of effects. */
  static List<String> expected(List<PoolEffect> effects, boolean ended) {
    List<String> calls = new ArrayList<>();
    List<String> turnstile = new ArrayList<>();
    List<String> owner = new ArrayList<>();
    for (PoolEffect effect : effects) {
      switch (effect) {
        case PoolEffect.RequestTurn r -> turnstile.add("asks for a turn " + r.lane());
        case PoolEffect.CancelTurn c -> turnstile.add("leaves the line");
        case PoolEffect.ReturnTurn back ->
            turnstile.add("gives back %d %s".formatted(back.turn(), back.result()));
        case PoolEffect.Read r -> calls.add("reads");
        case PoolEffect.Write write -> calls.add("writes " + write.edit());
        case PoolEffect.Emit emit -> calls.add("event " + emit.event());
        case PoolEffect.Finish finish -> calls.add("counts " + finish.outcome());
        case PoolEffect.Retry retry -> calls.add("counts a retry " + retry.reason());
        case PoolEffect.Report report -> owner.add("tells its owner " + report.report());
        case PoolEffect.Requeue logged -> {}
        case PoolEffect.RepairFailed logged -> {}
        case PoolEffect.RepairsSlowest logged -> {}
        case PoolEffect.LeaveAlone logged -> {}
      }
    }
    if (ended) {
      owner.add("ends");
    }
    return Stream.of(calls, turnstile, owner).flatMap(List::stream).toList();
  }

  @Override
  public CompletionStage<PoolDocument> get(PoolId pool) {
    done.add("reads");
    reads = true;
    reading = new CompletableFuture<>();
    return reading;
  }

  @Override
  public CompletionStage<Void> put(PoolDocument document, PoolEdit edit) {
    done.add("writes " + edit);
    reads = false;
    writing = new CompletableFuture<>();
    return writing;
  }

  @Override
  public void changed(PoolStatus status) {}

  @Override
  public void finished(PoolId pool, Outcome outcome, Duration took) {
    done.add("counts " + outcome);
  }

  @Override
  public void retrying(PoolId pool, RetryReason reason) {
    done.add("counts a retry " + reason);
  }

  @Override
  public void forgotten(PoolId pool) {}
}
