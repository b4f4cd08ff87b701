package io.poolkeeper.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.BooleanSupplier;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Actors of a test on the simulator's system: they run on the test's own thread, and only while the
 * test lets them. Time stands still but for what the test lets pass.
 */
public final class SeededActors implements InstantSource, AutoCloseable {
  private static final Duration STEP = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofDays(1);

  private final SeededSystem system = new SeededSystem();
  private final VirtualTime world = new VirtualTime(new Chance(1), 0);

  public SeededActors() {
    system.enter(world);
  }

  public <T> ActorRef<T> spawn(Behavior<T> behavior) {
    return system.spawn(behavior);
  }

  @Override
  public Instant instant() {
    return world.now();
  }

  /** All that happens while time stands still. */
  public void settle() {
    pass(Duration.ZERO);
  }

  public void pass(Duration duration) {
    world.runUntil(world.now().plus(duration), () -> {});
  }

  /** Lets second after second pass until the condition holds; fails if it does not within a day. */
  public void passUntil(BooleanSupplier condition) {
    Instant end = world.now().plus(LONGEST);
    settle();
    while (!condition.getAsBoolean()) {
      assertThat(world.now()).isBefore(end);
      pass(STEP);
    }
  }

  /** Whether the actor has stopped by now. */
  public boolean hasStopped(ActorRef<?> actor) {
    TestInbox<Boolean> stopped = TestInbox.create();
    Behavior<Void> watcher =
        Behaviors.setup(
            context -> {
              context.watch(actor);
              return Behaviors.receive(Void.class)
                  .onSignal(
                      Terminated.class,
                      signal -> {
                        stopped.getRef().tell(true);
                        return Behaviors.stopped();
                      })
                  .build();
            });
    spawn(watcher);
    settle();
    return stopped.hasMessages();
  }

  @Override
  public void close() {
    system.close();
  }
}
