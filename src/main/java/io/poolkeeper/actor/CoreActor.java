package io.poolkeeper.actor;

import io.poolkeeper.core.Core;
import io.poolkeeper.core.Decision;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.MessageAdaptionFailure;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/**
 * An actor whose core decides. The loop is the same for all: decide, run the effects, set the one
 * timer, report the change. A subclass runs the effects, and translates messages of its own.
 *
 * @param <E> the events of the core
 * @param <S> the state of the core
 * @param <F> the effects of the core
 */
public abstract class CoreActor<E, S, F> extends AbstractMatchingBehavior<CoreActor.Command<E>> {
  /** A message to an actor with a core of these events. */
  public sealed interface Command<E> {}

  public record Event<E>(E event) implements Command<E> {}

  /** An event whose sender sends no other before it has the answer. */
  public record Acknowledged<E>(E event, ActorRef<Ack> replyTo) implements Command<E> {}

  /** The answer to an {@link Acknowledged} event: the sender may send the next. */
  public enum Ack {
    INSTANCE
  }

  /** Asks whether messages are handled: runs the answer, which does not block. */
  public record Ping<E>(Runnable answer) implements Command<E> {}

  /** A message that one kind of actor translates into an event. */
  public non-sealed interface Call<E> extends Command<E> {}

  /** The random numbers of a core that leaves nothing to chance. */
  protected static final RandomGenerator NO_RANDOM =
      () -> {
        throw new IllegalStateException("a core without chance asked for a random number");
      };

  /** Pekko refuses a timer of more than 248 days, and ends the actor that sets it. */
  private static final Duration LONGEST = Duration.ofDays(1);

  private final Core<S, E, F> core;
  private final TimerScheduler<Command<E>> timers;
  private final InstantSource clock;
  private final Event<E> timerDue;
  private final RandomGenerator random;
  private S state;

  /** What Pekko gives to an actor that begins. */
  protected record PekkoContext<E>(
      ActorContext<Command<E>> context, TimerScheduler<Command<E>> timers) {}

  protected static <E> Behavior<Command<E>> begin(
      Function<PekkoContext<E>, CoreActor<E, ?, ?>> actor) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(timers -> actor.apply(new PekkoContext<>(context, timers))));
  }

  /**
   * An actor in its initial state, its timer set.
   *
   * @param clock monotonic, the one that the state's times are of
   * @param timerDue what the timer sends
   */
  protected CoreActor(
      PekkoContext<E> pekko,
      Core<S, E, F> core,
      S initial,
      InstantSource clock,
      E timerDue,
      RandomGenerator random) {
    super(pekko.context());
    this.core = Cores.wrapped(core, pekko.context().getSystem());
    this.timers = pekko.timers();
    this.clock = clock;
    this.timerDue = new Event<>(timerDue);
    this.random = random;
    this.state = initial;
    setTimer();
  }

  /**
   * Sets the timer to the time that the core wants. It may fire earlier, as a long wait is cut; the
   * core compares the time, and the timer is set again.
   */
  private void setTimer() {
    Optional<Instant> wakeAt = core.wakeAt(state);
    if (wakeAt.isEmpty()) {
      timers.cancel(timerDue);
      return;
    }
    Duration wait = Duration.between(clock.instant(), wakeAt.get());
    Duration cut = wait.compareTo(LONGEST) > 0 ? LONGEST : wait;
    timers.startSingleTimer(timerDue, timerDue, cut.isNegative() ? Duration.ZERO : cut);
  }

  protected final S state() {
    return state;
  }

  @Override
  public final Behavior<Command<E>> onMessage(Command<E> command) {
    switch (command) {
      case Event<E> message -> decide(message.event());
      case Acknowledged<E> message -> {
        decide(message.event());
        message.replyTo().tell(Ack.INSTANCE);
      }
      case Ping<E> ping -> ping.answer().run();
      case Call<E> call -> translate(call);
    }
    return next();
  }

  /** What the actor is after a message or a signal. */
  protected final Behavior<Command<E>> next() {
    return ended() ? Behaviors.stopped() : this;
  }

  /** Whether the actor's work is done. */
  protected boolean ended() {
    return false;
  }

  /** Translates a message of the actor's own; most have none. */
  protected void translate(Call<E> call) {
    throw new IllegalArgumentException("not a message of this actor: " + call);
  }

  /** A message that cannot be translated is a defect and ends the actor; Pekko would drop it. */
  @Override
  public Behavior<Command<E>> onSignal(Signal signal) {
    if (signal instanceof MessageAdaptionFailure failure) {
      throw new IllegalStateException("a message that cannot be translated", failure.exception());
    }
    return this;
  }

  protected void decide(E event) {
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
