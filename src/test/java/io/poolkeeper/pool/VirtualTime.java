package io.poolkeeper.pool;

import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.ManualTime;
import org.awaitility.Awaitility;

/**
 * The clock and the timers of actors under test: both stand still but for what a test lets pass.
 */
public final class VirtualTime implements InstantSource {
  private static final Duration STEP = Duration.ofSeconds(1);

  private final AtomicReference<Instant> now;
  private final ManualTime timers;

  public VirtualTime(ActorTestKit kit, Instant start) {
    now = new AtomicReference<>(start);
    timers = ManualTime.get(kit.system());
  }

  public static ActorTestKit testKit() {
    return ActorTestKit.create(
        ConfigFactory.parseString("pekko.actor.testkit.typed.single-expect-default = 10s")
            .withFallback(ManualTime.config()));
  }

  @Override
  public Instant instant() {
    return now.get();
  }

  public void pass(Duration duration) {
    now.updateAndGet(before -> before.plus(duration));
    timers.timePasses(duration);
  }

  /** Lets second after second pass until the condition holds. */
  public void passUntil(Callable<Boolean> condition) {
    Awaitility.await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .until(
            () -> {
              boolean holds = condition.call();
              if (!holds) {
                pass(STEP);
              }
              return holds;
            });
  }
}
