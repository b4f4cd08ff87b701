package io.poolkeeper.lab;

import io.poolkeeper.lab.Blueprint.Spec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Every pool of a bigger cluster is wrong when the controller starts, as after a long restart. One
 * call in ten fails, and in the middle ARM throttles the subscription for some seconds (spec 3:
 * retries must not become the attack).
 */
final class RestartStorm {
  /** Seconds for which the subscription is throttled. */
  private static final int GATE = 5;

  /** A rule applies only if those before it did not: four of them make one call in ten fail. */
  private static final double QUARTER = 0.026;

  /** Two of them make one call in ten fail. */
  private static final double HALF = 0.0513;

  private static final Map<String, ?> BUSY = Map.of("status", 409);
  private static final Map<String, ?> CHANGED = Map.of("status", 412);
  private static final Map<String, ?> DOWN = Map.of("status", 503);
  private static final Map<String, ?> LOCKED = Map.of("status", 429, "code", "RetryableError");

  private RestartStorm() {}

  /** Removes one node, as if its endpoint had been added while no controller ran. */
  static void corrupt(Map<String, String> members) {
    members.keySet().stream().findFirst().ifPresent(members::remove);
  }

  static void announce(Stage stage) {
    stage.say("the pools of all %d Services are wrong".formatted(stage.world.services.size()));
    stage.say(
        "one call in ten fails; at the write to %s ARM refuses the subscription for %d s"
            .formatted(middle(stage).name(), GATE));
  }

  private static Spec middle(Stage stage) {
    List<Spec> services = stage.world.services;
    return services.get(services.size() / 2);
  }

  static void prepare(Stage stage) throws InterruptedException {
    stage.ledger.byChance = true;
    Map<String, ?> gate =
        Map.of(
            "status",
            429,
            "code",
            "SubscriptionRequestsThrottled",
            "retryAfter",
            Integer.toString(GATE));
    stage.failNext(middle(stage), 1, gate);
    for (Map<String, ?> how : List.of(BUSY, CHANGED, DOWN, LOCKED)) {
      byChance(stage, "PUT", QUARTER, how);
    }
    for (Map<String, ?> how : List.of(DOWN, LOCKED)) {
      byChance(stage, "GET", HALF, how);
    }
  }

  private static void byChance(Stage stage, String method, double probability, Map<String, ?> how)
      throws InterruptedException {
    Map<String, Object> rule = new HashMap<>(how);
    rule.put("method", method);
    rule.put("path", "/backendAddressPools/");
    rule.put("probability", probability);
    rule.put("seed", stage.random.nextLong());
    stage.inject(rule);
  }
}
