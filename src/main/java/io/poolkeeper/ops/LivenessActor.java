package io.poolkeeper.ops;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Checks whether the vital actors still process messages (spec 4): an actor that fails ends the
 * process, but one that hangs does not. Each check pings the actors, so that no timer runs. An
 * actor has at most one ping to answer.
 */
public final class LivenessActor extends AbstractMatchingBehavior<LivenessActor.Command> {
  /** Longer than any message takes. */
  static final Duration PATIENCE = Duration.ofSeconds(30);

  public sealed interface Command {}

  public record Check(ActorRef<Hanging> replyTo) implements Command {}

  private record Answered(String actor) implements Command {}

  /**
   * The actors that have not answered for longer than {@link #PATIENCE}, and for how long; empty if
   * all is well.
   */
  public record Hanging(SortedMap<String, Duration> actors) {}

  private final Map<String, Consumer<Runnable>> actors;
  private final InstantSource clock;
  private final Map<String, Instant> pinged = new HashMap<>();

  /**
   * Watches these actors.
   *
   * @param actors each by its name; sends it a message that makes it run the answer
   * @param clock monotonic
   */
  public static Behavior<Command> create(
      Map<String, Consumer<Runnable>> actors, InstantSource clock) {
    return Behaviors.setup(context -> new LivenessActor(context, actors, clock));
  }

  private LivenessActor(
      ActorContext<Command> context, Map<String, Consumer<Runnable>> actors, InstantSource clock) {
    super(context);
    this.actors = Map.copyOf(actors);
    this.clock = clock;
  }

  @Override
  public Behavior<Command> onMessage(Command command) {
    switch (command) {
      case Check check -> {
        check.replyTo().tell(hanging());
        ping();
      }
      case Answered answered -> pinged.remove(answered.actor());
    }
    return this;
  }

  private Hanging hanging() {
    SortedMap<String, Duration> hanging = new TreeMap<>();
    pinged.forEach(
        (actor, since) -> {
          Duration silent = Duration.between(since, clock.instant());
          if (silent.compareTo(PATIENCE) > 0) {
            hanging.put(actor, silent);
          }
        });
    return new Hanging(hanging);
  }

  private void ping() {
    ActorRef<Command> self = getContext().getSelf();
    actors.forEach(
        (actor, ping) -> {
          if (pinged.putIfAbsent(actor, clock.instant()) == null) {
            ping.accept(() -> self.tell(new Answered(actor)));
          }
        });
  }
}
