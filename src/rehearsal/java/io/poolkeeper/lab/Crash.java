package io.poolkeeper.lab;

import io.poolkeeper.lab.Blueprint.Spec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The controller is killed at random moments, at work, at rest and while it starts, while endpoints
 * move, nodes go out of service and come back, and ARM refuses writes (spec 4). The next one knows
 * nothing of what the one before has left, and must put it right. Used by one thread.
 */
final class Crash implements Play {
  /** Milliseconds: changes are written, some of them. */
  private static final int AT_WORK = 500;

  /** Milliseconds: it starts, and sees what the one before has left. */
  private static final int STARTING = 2_500;

  private static final int MOVES = 4;

  /** The last of three kills hits a controller that starts. */
  private static final int ROUND = 3;

  private final Stage stage;
  private List<Integer> out = List.of();

  Crash(Stage stage) {
    this.stage = stage;
  }

  @Override
  public void play() throws InterruptedException {
    for (int kill = 1; kill <= stage.lab.options.kills(); kill++) {
      kill(kill, kill % ROUND == 0, kill < stage.lab.options.kills() && (kill + 1) % ROUND == 0);
    }
    stage.nodes.taint(out);
    stage.converge();
  }

  private void kill(int kill, boolean starting, boolean again) throws InterruptedException {
    if (!starting) {
      refuse();
      leave();
      move();
    }
    stage.pause(Duration.ofMillis(stage.random.nextInt(starting ? STARTING : AT_WORK)));
    stage.say(
        "kill %d of %d%s"
            .formatted(kill, stage.lab.options.kills(), starting ? ", at its start" : ""));
    stage.lab.killController();
    move();
    stage.lab.launchController();
    if (!again) {
      stage.converge();
    }
  }

  private void move() {
    for (int i = 0; i < MOVES; i++) {
      stage.move(any());
    }
  }

  private Spec any() {
    List<Spec> services = stage.world.services;
    return services.get(stage.random.nextInt(services.size()));
  }

  /** Two nodes leave, or those that have left come back. */
  private void leave() {
    if (out.isEmpty()) {
      Leaving[] taints = Leaving.values();
      out =
          Stream.generate(() -> stage.random.nextInt(Blueprint.NODES)).distinct().limit(2).toList();
      stage.nodes.taint(out, taints[stage.random.nextInt(taints.length)]);
    } else {
      stage.nodes.taint(out);
      out = List.of();
    }
  }

  /** One write is throttled, and one conflicts. */
  private void refuse() throws InterruptedException {
    String code = "SubscriptionRequestsThrottled";
    stage.failNext(any(), 1, Map.of("status", 429, "code", code, "retryAfter", "1"));
    stage.failNext(any(), 1, Map.of("status", 409));
  }

  @Override
  public void check(Judgement judgement) {
    judgement.ofOneWriter();
    judgement.failures();
    judgement.upIsNeverWritten();
    judgement.taints();
    judgement.leases();
  }
}
