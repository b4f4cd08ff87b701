package io.poolkeeper.simulation;

import io.poolkeeper.arm.ArmException;
import io.poolkeeper.arm.PoolDocument;
import io.poolkeeper.core.Decision;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.pool.Phase;
import io.poolkeeper.pool.PoolCore;
import io.poolkeeper.pool.PoolEffect;
import io.poolkeeper.pool.PoolEvent;
import io.poolkeeper.pool.PoolState;
import io.poolkeeper.service.ServiceMapEvent;
import io.poolkeeper.turnstile.Requester;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** One pool's actor: its core, its timer, and the document of the attempt under way. */
final class PoolCell {
  final PoolId id;
  final String name;
  final Requester visitor;
  final Life life;
  private final PoolCore core;
  private final Alarm alarm;

  /** Of all that the cell leaves to chance. */
  final long seed;

  private final RandomGenerator random;
  private PoolState state = PoolState.initial();
  private boolean ended;

  PoolCell(Life life, PoolId id, int incarnation) {
    this.life = life;
    this.id = id;
    this.name = "%d/%s#%d".formatted(life.number, id, incarnation);
    this.visitor = new Requester(id, incarnation);
    this.core = new PoolCore(life.swarm.poolLimits());
    this.alarm = new Alarm(life, () -> decide(new PoolEvent.TimerDue()));
    this.seed = life.chance.nextLong();
    this.random = new SplittableRandom(seed);
  }

  PoolState state() {
    return state;
  }

  void send(PoolEvent event) {
    if (event instanceof PoolEvent.Desire desire) {
      life.checker.desired(this, desire.assignment(), desire.level());
    } else if (event instanceof PoolEvent.Release release) {
      life.checker.released(this, release.service());
    } else if (event instanceof PoolEvent.Stop) {
      life.checker.stopped(this);
    }
    decide(event);
  }

  void granted(long turn, Instant deadline, boolean evenIfUpdating) {
    decide(new PoolEvent.TurnGranted(turn, deadline, evenIfUpdating));
  }

  /** The actor fails; ARM may still be busy for it. */
  void crash() {
    if (!ended) {
      end();
      life.trace.say("%s fails".formatted(name));
      life.post(name, MapCell.NAME, () -> life.map.crashed(this));
    }
  }

  private void end() {
    ended = true;
    alarm.at(Optional.empty());
    life.post(name, TurnstileCell.NAME, () -> life.turnstile.gone(this));
  }

  private void decide(PoolEvent event) {
    if (ended) {
      return;
    }
    Decision<PoolState, PoolEffect> decision = core.decide(state, event, life.time.now(), random);
    PoolState before = state;
    state = decision.state();
    life.witness.decided(this, event, decision);
    life.checker.decided(this, event, before, decision);
    decision.effects().forEach(this::run);
    if (state.phase() instanceof Phase.Stopped) {
      end();
    }
    if (!ended) {
      alarm.at(state.wakeAt());
    }
  }

  private void run(PoolEffect effect) {
    switch (effect) {
      case PoolEffect.RequestTurn r -> toTurnstile(() -> life.turnstile.request(this, r.lane()));
      case PoolEffect.CancelTurn c -> toTurnstile(() -> life.turnstile.cancel(this));
      case PoolEffect.ReturnTurn back ->
          toTurnstile(() -> life.turnstile.back(this, back.turn(), back.result()));
      case PoolEffect.Read r -> read();
      case PoolEffect.Write write -> write(write.read(), write.edit());
      case PoolEffect.Emit emit -> life.checker.told(this, emit.event());
      case PoolEffect.Finish finish -> {}
      case PoolEffect.Requeue requeue -> {}
      case PoolEffect.RepairFailed failed -> {}
      case PoolEffect.RepairsSlowest slowest -> {}
      case PoolEffect.Retry retry -> {}
      case PoolEffect.LeaveAlone alone -> {}
      case PoolEffect.Report report -> toMap(new ServiceMapEvent.PoolReported(id, report.report()));
    }
  }

  private void toTurnstile(Runnable what) {
    life.post(name, TurnstileCell.NAME, what);
  }

  private void toMap(ServiceMapEvent event) {
    life.post(name, MapCell.NAME, () -> life.map.decide(event));
  }

  private void read() {
    life.checker.reading(this);
    life.arm
        .get(id)
        .whenComplete(
            (read, error) -> life.post("http " + name, name, () -> readDone(read, error)));
  }

  private void readDone(@Nullable PoolDocument read, @Nullable Throwable error) {
    life.checker.read(this, read);
    decide(
        read != null
            ? new PoolEvent.ReadDone(read)
            : new PoolEvent.AttemptFailed(ArmException.failureIn(Objects.requireNonNull(error))));
  }

  private void write(PoolDocument base, PoolEdit edit) {
    life.checker.writing(this, edit);
    life.arm
        .put(base, edit)
        .whenComplete((done, error) -> life.post("http " + name, name, () -> writeDone(error)));
  }

  private void writeDone(@Nullable Throwable error) {
    life.checker.written(this, error == null);
    decide(
        error == null
            ? new PoolEvent.WriteDone()
            : new PoolEvent.AttemptFailed(ArmException.failureIn(error)));
  }
}
