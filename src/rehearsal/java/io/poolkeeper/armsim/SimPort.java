package io.poolkeeper.armsim;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.pattern.StatusReply;

/**
 * Asks the actor for those who are no actors: HTTP routes, the lab and tests. They need an answer
 * as a future, which an ask is; actors never ask each other.
 */
record SimPort(ActorSystem<?> system, ActorRef<SimActor.Command> actor) {
  /** Longer than any latency and any fault's delay together. */
  private static final Duration ANSWER_TIMEOUT = Duration.ofMinutes(12);

  <T> CompletionStage<T> ask(
      org.apache.pekko.japi.function.Function<ActorRef<T>, SimActor.Command> command) {
    // Who calls this is no actor, and needs a future.
    return AskPattern.ask(actor, command, ANSWER_TIMEOUT, system.scheduler());
  }

  /** As {@link #ask}, without a result; fails with the actor's message. */
  CompletionStage<Done> done(
      org.apache.pekko.japi.function.Function<ActorRef<StatusReply<Done>>, SimActor.Command>
          command) {
    // As above.
    return AskPattern.askWithStatus(actor, command, ANSWER_TIMEOUT, system.scheduler());
  }

  CompletionStage<Done> change(Consumer<Gatekeeper> how) {
    return tune(
        gate -> {
          how.accept(gate);
          return Done.getInstance();
        });
  }

  <T> CompletionStage<T> tune(Function<Gatekeeper, T> how) {
    return ask(replyTo -> new SimActor.Tune<>(how, replyTo));
  }
}
