package io.poolkeeper.lab;

import io.poolkeeper.lab.Blueprint.Spec;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The story in under a minute, on the shipped settings: a rolling restart, a burst, a throttle and
 * conflicts. The Services that Azure refuses at the end have had no burst before, so that their
 * spacing is still short; conflicts come last, because nothing goes early beside another writer.
 */
record Tour(Stage stage) implements Play {
  static final int PARTS = 5;

  private static final int ROUNDS = 10;

  /** Seconds for which the subscription is refused. */
  private static final String REFUSED = "5";

  private static final List<String> SPARED = List.of("search", "media", "reports");

  @Override
  public void play() throws InterruptedException {
    stage.part(1, "rolling restart: three endpoints of each Service move, one after the other");
    new RollingRestart(stage).steps();
    stage.converge();
    stage.part(2, "burst: nine Services change %d times without a pause".formatted(ROUNDS));
    burst();
    stage.part(3, "ARM refuses a write to search, and all writes for %s s: 429".formatted(REFUSED));
    refusal();
    stage.part(4, "somebody else writes: 412 for media, and the write of reports is superseded");
    stage.fail("media", 1, Map.of("status", 412));
    stage.fail("reports", 1, Map.of("lro", "canceled"));
    stage.converge();
    stage.settle();
  }

  private void burst() throws InterruptedException {
    World world = stage.world;
    List<Spec> some =
        Blueprint.SERVICES.stream().filter(spec -> !SPARED.contains(spec.name())).toList();
    for (int round = 0; round < ROUNDS; round++) {
      some.forEach(stage::move);
    }
    Spec cart = Blueprint.named("cart");
    Spec feed = Blueprint.named("feed");
    stage.say("meanwhile a slice of cart vanishes, and feed scales to zero");
    world.deleteSlice(cart, 1);
    world.setSlice(feed, 0, Set.of());
    stage.converge();
    stage.say("feed and cart come back");
    world.setSlice(feed, 0, World.window(3, 5));
    world.setSlice(cart, 1, World.window(8, 3));
    stage.converge();
  }

  private void refusal() throws InterruptedException {
    stage.fail(
        "search",
        1,
        Map.of("status", 429, "code", "SubscriptionRequestsThrottled", "retryAfter", REFUSED));
    stage.converge();
  }
}
