package io.poolkeeper.admission;

import io.poolkeeper.actor.CoreActor;
import io.poolkeeper.admission.Resolution.Refused;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Follows the bindings, with the ports around it. Policy: {@link BindingsCore}. */
public final class BindingsActor
    extends CoreActor<BindingsActor.Command, BindingsState, BindingsEvent, BindingsEffect> {
  private static final Logger log = LoggerFactory.getLogger(BindingsActor.class);

  /** What the actor receives. */
  public sealed interface Command {}

  /** Asks whether messages are handled: runs the answer, which does not block. */
  public record Ping(Runnable answer) implements Command {}

  /** An event of its core. */
  public record Event(BindingsEvent event) implements Command {}

  /** An event whose sender sends no other before it has the answer. */
  public record Acknowledged(BindingsEvent event, ActorRef<Ack> replyTo) implements Command {}

  /** The answer: the next one may come. */
  public enum Ack {
    INSTANCE
  }

  private final BindingsDeps deps;

  public static Behavior<Command> create(BindingsDeps deps) {
    return Behaviors.setup(
        context -> Behaviors.withTimers(timers -> new BindingsActor(context, timers, deps)));
  }

  private BindingsActor(
      ActorContext<Command> context, TimerScheduler<Command> timers, BindingsDeps deps) {
    super(
        context,
        deps.core(),
        BindingsState.initial(deps.leads(), deps.clock().instant()),
        timers,
        deps.clock(),
        new Event(new BindingsEvent.TimerDue()),
        deps.random());
    this.deps = deps;
  }

  @Override
  public Behavior<Command> onMessage(Command command) {
    switch (command) {
      case Event event -> decide(event.event());
      case Ping ping -> ping.answer().run();
      case Acknowledged acknowledged -> {
        decide(acknowledged.event());
        acknowledged.replyTo().tell(Ack.INSTANCE);
      }
    }
    return this;
  }

  @Override
  protected void run(BindingsEffect effect) {
    switch (effect) {
      case BindingsEffect.Bind bind -> deps.bind().accept(bind.bindings());
      case BindingsEffect.Lead lead -> deps.lead().run();
      case BindingsEffect.Write write ->
          getContext()
              .pipeToSelf(
                  deps.writes().write(write), (answer, error) -> written(write, answer, error));
    }
  }

  private Command written(
      BindingsEffect.Write write, @Nullable WriteAnswer answer, @Nullable Throwable error) {
    if (answer == null) {
      throw new IllegalStateException("a write that failed instead of saying so", error);
    }
    if (answer instanceof WriteAnswer.Done && write.reset()) {
      deps.observer().reset();
    }
    return new Event(new BindingsEvent.Written(write.key(), write.version(), answer));
  }

  /** One line for each binding that is refused, or held, or is so no more. */
  @Override
  protected void report(BindingsState before, BindingsState after) {
    deps.observer().changed(after);
    if (before.observed().outcomes().equals(after.observed().outcomes())
        && before.ties().equals(after.ties())) {
      return;
    }
    TreeSet<BindingKey> all = new TreeSet<>(before.observed().outcomes().keySet());
    all.addAll(after.observed().outcomes().keySet());
    for (BindingKey key : all) {
      String is = standing(after, key);
      if (!is.equals(standing(before, key))) {
        log.info("binding={} {}", key, is);
      }
    }
  }

  private static String standing(BindingsState state, BindingKey key) {
    if (state.observed().outcomes().get(key) instanceof Refused refused) {
      return "refused=%s why=\"%s\"".formatted(refused.reason(), refused.message());
    }
    Tie tie = state.ties().get(key);
    if (tie == null) {
      return "bound=false";
    }
    Optional<String> held = tie.terms().held();
    return held.map("bound=true held=\"%s\""::formatted).orElse("bound=true held=none");
  }
}
