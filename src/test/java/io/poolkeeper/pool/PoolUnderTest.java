package io.poolkeeper.pool;

import io.poolkeeper.core.Decision;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.TurnResult;
import io.poolkeeper.turnstile.Lane;
import java.time.Instant;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * One pool's core for tests of other packages, which wire it to cores of other rooms: its state,
 * and a world that its effects are told to, as {@link PoolActor} tells its own.
 */
public final class PoolUnderTest {
  /** Who runs the effects. Effects that only tell people are left out. */
  public interface World {
    /** Stand in line, or change lanes. */
    void requestTurn(Lane lane);

    /** Leave the line. */
    void cancelTurn();

    /** Give the turn back. */
    void returnTurn(long turn, TurnResult result);

    /** GET the pool. */
    void read();

    /** PUT the pool. */
    void write(PoolEdit edit);

    /** The pool reports to its owner. */
    void report(PoolReport report);
  }

  private final PoolCore core;
  private final RandomGenerator random;
  private final World world;
  private PoolState state = PoolState.initial();

  /** A pool that knows nothing yet. */
  public PoolUnderTest(PoolLimits limits, RandomGenerator random, World world) {
    this.core = new PoolCore(limits);
    this.random = random;
    this.world = world;
  }

  /** Decides, and runs the effects in order. */
  public void send(PoolEvent event, Instant now) {
    Decision<PoolState, PoolEffect> decision = core.decide(state, event, now, random);
    state = decision.state();
    decision.effects().forEach(this::run);
  }

  /** When the timer of the pool must fire. */
  public Optional<Instant> wakeAt() {
    return state.wakeAt();
  }

  /** Whether it rests: nothing queued, nothing in flight, no repair to come. */
  public boolean idle() {
    return state.phase() instanceof Phase.Idle;
  }

  @Override
  public String toString() {
    return state.toString();
  }

  private void run(PoolEffect effect) {
    switch (effect) {
      case PoolEffect.RequestTurn request -> world.requestTurn(request.lane());
      case PoolEffect.CancelTurn cancel -> world.cancelTurn();
      case PoolEffect.ReturnTurn back -> world.returnTurn(back.turn(), back.result());
      case PoolEffect.Read read -> world.read();
      case PoolEffect.Write write -> world.write(write.edit());
      case PoolEffect.Report report -> world.report(report.report());
      case PoolEffect.Emit emit -> {}
      case PoolEffect.Finish finish -> {}
      case PoolEffect.RepairFailed failed -> {}
      case PoolEffect.RepairsSlowest slowest -> {}
      case PoolEffect.Retry retry -> {}
      case PoolEffect.LeaveAlone alone -> {}
      case PoolEffect.Requeue requeue -> {}
    }
  }
}
