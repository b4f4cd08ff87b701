package io.poolkeeper.ops;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.function.Consumer;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.junit.jupiter.api.Test;

/** Which actors hang. */
class LivenessActorTest {
  private final Queue<Runnable> rateLimiter = new ArrayDeque<>();
  private final Queue<Runnable> map = new ArrayDeque<>();
  private Instant now = Instant.EPOCH;
  private final Map<String, Consumer<Runnable>> actors =
      Map.of("turnstile", rateLimiter::add, "service-map", map::add);
  private final BehaviorTestKit<LivenessActor.Command> liveness =
      BehaviorTestKit.create(LivenessActor.create(actors, () -> now));

  private Map<String, Duration> check(Duration later) {
    now = now.plus(later);
    TestInbox<LivenessActor.Hanging> inbox = TestInbox.create();
    liveness.run(new LivenessActor.Check(inbox.getRef()));
    return inbox.receiveMessage().actors();
  }

  /** What the actor was sent, it handles. */
  private void answer(Queue<Runnable> actor) {
    while (!actor.isEmpty()) {
      actor.remove().run();
    }
    while (liveness.selfInbox().hasMessages()) {
      liveness.runOne();
    }
  }

  @Test
  void check_actorsAnswer_noneHangs_howeverRarelyAnybodyLooks() {
    assertThat(check(Duration.ZERO)).isEmpty();
    answer(rateLimiter);
    answer(map);

    assertThat(check(Duration.ofHours(1))).isEmpty();
    answer(rateLimiter);
    answer(map);

    assertThat(check(Duration.ofHours(1))).isEmpty();
  }

  @Test
  void check_oneDoesNotAnswerForLongerThanThePatience_itHangsUntilItAnswers() {
    check(Duration.ZERO);
    answer(map);

    assertThat(check(LivenessActor.PATIENCE)).isEmpty();
    answer(map);
    assertThat(check(Duration.ofMillis(1)))
        .containsExactly(Map.entry("turnstile", LivenessActor.PATIENCE.plusMillis(1)));

    answer(rateLimiter);
    assertThat(check(Duration.ofSeconds(1))).isEmpty();
  }

  @Test
  void check_often_sendsOnePingAtATime() {
    for (int i = 0; i < 5; i++) {
      check(Duration.ofSeconds(10));
    }

    assertThat(rateLimiter).hasSize(1);
  }
}
