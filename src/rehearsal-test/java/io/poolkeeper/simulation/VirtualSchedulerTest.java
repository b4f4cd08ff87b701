package io.poolkeeper.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;

class VirtualSchedulerTest {
  /** Two threads would break the queue of what is due later. */
  @Test
  void timerOfAnotherThread_isNotPutIntoTheWorldByThatThread() {
    AtomicBoolean fired = new AtomicBoolean();
    try (SeededActors actors = new SeededActors()) {
      CompletableFuture<ActorSystem<?>> system = new CompletableFuture<>();
      actors.spawn(
          Behaviors.setup(
              context -> {
                system.complete(context.getSystem());
                return Behaviors.empty();
              }));
      ActorSystem<?> started = system.join();

      CompletableFuture.runAsync(
              () ->
                  started
                      .scheduler()
                      .scheduleOnce(
                          Duration.ofSeconds(1), () -> fired.set(true), started.executionContext()))
          .join();

      actors.pass(Duration.ofSeconds(2));
      assertThat(fired).isFalse();
    }
  }
}
