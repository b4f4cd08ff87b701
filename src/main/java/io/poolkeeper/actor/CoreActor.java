package io.poolkeeper.actor;

import io.poolkeeper.core.Core;
import io.poolkeeper.core.Decision;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.MessageAdaptionFailure;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/**
 * An actor whose core decides. The loop is the same for all: decide, run the effects, set the one
 * timer, report the change. A subclass translates messages into events and runs the effects.
 *
 * @param <M> the messages
 * @param <S> the state of the core
 * @param <E> the events of the core
 * @param <F> the effects of the core
 */
public abstract class CoreActor<M, S, E, F> extends AbstractMatchingBehavior<M> {
  /** Pekko refuses a timer of more than 248 days, and ends the actor that sets it. */
  private static final Duration LONGEST = Duration.ofDays(1);

  private final Core<S, E, F> core;
  private final TimerScheduler<M> timers;
  private final InstantSource clock;
  private final M timerDue;
  private final RandomGenerator random;
  private S state;

  /**
   * An actor in its initial state, its timer set.
   *
   * @param clock monotonic, the one that the state's times are of
   * @param timerDue what the timer sends
   */
  protected CoreActor(
      ActorContext<M> context,
      Core<S, E, F> core,
      S initial,
      TimerScheduler<M> timers,
      InstantSource clock,
      M timerDue,
      RandomGenerator random) {
    super(context);
    this.core = Cores.of(core, context.getSystem());
    this.timers = timers;
    this.clock = clock;
    this.timerDue = timerDue;
    this.random = random;
    this.state = initial;
    setTimer();
  }

  /**
   * A timer may fire ahead of what is due, a little or, as a wait is cut, by far; the core
   * compares, and it is set again.
   */
  private void setTimer() {
    Optional<Instant> time = core.wakeAt(state);
    if (time.isEmpty()) {
      timers.cancel(timerDue);
      return;
    }
    Duration wait = Duration.between(clock.instant(), time.get());
    Duration cut = wait.compareTo(LONGEST) > 0 ? LONGEST : wait;
    timers.startSingleTimer(timerDue, timerDue, cut.isNegative() ? Duration.ZERO : cut);
  }

  protected final S state() {
    return state;
  }

  /** A message that cannot be translated is a defect and ends the actor; Pekko would drop it. */
  @Override
  public Behavior<M> onSignal(Signal signal) {
    if (signal instanceof MessageAdaptionFailure failure) {
      throw new IllegalStateException("a message that cannot be translated", failure.exception());
    }
    return this;
  }

  protected final void decide(E event) {
    S before = state;
    Decision<S, F> decision = core.decide(before, event, clock.instant(), random);
    state = decision.state();
    decision.effects().forEach(this::run);
    // Always: a timer that fired ahead of the clock is gone although nothing changed.
    setTimer();
    report(before, state);
  }

  protected abstract void run(F effect);

  /** Reports to observers what an event changed; effects and timer are done by then. */
  protected abstract void report(S before, S after);
}
