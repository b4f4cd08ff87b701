package io.poolkeeper.actor;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.core.Core;
import io.poolkeeper.core.Decision;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.ManualTime;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.Test;

/** The one timer of an actor, when what is due is far away. */
class CoreActorTest {
  private static final Instant T0 = Instant.parse("2026-11-22T10:00:00Z");

  /** Rings once. */
  private record Alarm(Instant at) implements Core<Boolean, String, String> {
    @Override
    public Decision<Boolean, String> decide(
        Boolean rung, String event, Instant now, RandomGenerator random) {
      return rung || now.isBefore(at) ? Decision.of(rung) : Decision.of(true, "rings");
    }

    @Override
    public Optional<Instant> wakeAt(Boolean rung) {
      return rung ? Optional.empty() : Optional.of(at);
    }
  }

  /** Says what it has heard, and what it has done before. */
  private static final class AlarmActor extends CoreActor<String, Boolean, String> {
    private final ActorRef<String> seen;

    AlarmActor(PekkoContext<String> pekko, Instant at, InstantSource clock, ActorRef<String> seen) {
      super(pekko, new Alarm(at), false, clock, "due", () -> 0);
      this.seen = seen;
    }

    @Override
    protected void decide(String event) {
      super.decide(event);
      seen.tell(event);
    }

    @Override
    protected void run(String effect) {
      seen.tell(effect);
    }

    @Override
    protected void report(Boolean before, Boolean after) {}
  }

  private final AtomicReference<Instant> now = new AtomicReference<>(T0);

  /** An actor that has begun, so that its timer is set. */
  private TestProbe<String> spawn(ActorTestKit kit, Duration wait) {
    TestProbe<String> seen = kit.createTestProbe();
    ActorRef<CoreActor.Command<String>> actor =
        kit.spawn(
            CoreActor.begin(
                pekko -> new AlarmActor(pekko, T0.plus(wait), now::get, seen.getRef())));
    actor.tell(new CoreActor.Event<>("ping"));
    seen.expectMessage("ping");
    return seen;
  }

  @Test
  void wakeAt_in300Days_isTakenByPekkosOwnTimers() {
    ActorTestKit kit = ActorTestKit.create();
    try {
      assertThat(spawn(kit, Duration.ofDays(300))).isNotNull();
    } finally {
      kit.shutdownTestKit();
    }
  }

  @Test
  void wakeAt_in60Hours_isLookedAtEachDay_andActedOnWhenItIsDue() {
    ActorTestKit kit = ActorTestKit.create(ManualTime.config());
    try {
      TestProbe<String> seen = spawn(kit, Duration.ofHours(60));
      for (int day = 1; day <= 2; day++) {
        pass(kit, Duration.ofDays(1));
        seen.expectMessage("due");
      }
      pass(kit, Duration.ofHours(12));
      seen.expectMessage("rings");
      seen.expectMessage("due");
    } finally {
      kit.shutdownTestKit();
    }
  }

  private void pass(ActorTestKit kit, Duration time) {
    now.updateAndGet(was -> was.plus(time));
    ManualTime.get(kit.system()).timePasses(time);
  }
}
