package io.poolkeeper.lab;

import io.poolkeeper.lab.Blueprint.Spec;
import io.poolkeeper.lab.judge.ArmRequest;
import io.poolkeeper.lab.judge.PoolWrite;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Every pool of a bigger cluster is wrong when the controller starts, as after a long restart. One
 * call in ten fails, and in the middle ARM throttles the subscription for some seconds (spec 3:
 * retries must not become the attack).
 */
record RestartStorm(Stage stage) implements Play {
  /** Seconds for which the subscription is throttled. */
  private static final int GATE = 5;

  /** A rule applies only if those before it did not: four of them make one call in ten fail. */
  private static final double QUARTER = 0.026;

  /** Two of them make one call in ten fail. */
  private static final double HALF = 0.0513;

  /** Per pool, when one call in ten fails and a few meet a gate. */
  private static final double MOST_WRITES = 1.35;

  private static final Map<String, ?> BUSY = Map.of("status", 409);
  private static final Map<String, ?> CHANGED = Map.of("status", 412);
  private static final Map<String, ?> DOWN = Map.of("status", 503);
  private static final Map<String, ?> LOCKED = Map.of("status", 429, "code", "RetryableError");

  /** Removes one node, as if its endpoint had been added while no controller ran. */
  static void corrupt(Map<String, String> members) {
    members.keySet().stream().findFirst().ifPresent(members::remove);
  }

  @Override
  public List<String> opening() {
    return List.of(
        "the pools of all %d Services are wrong".formatted(stage.world.services.size()),
        "one call in ten fails; at the write to %s ARM refuses the subscription for %d s"
            .formatted(middle().name(), GATE));
  }

  private Spec middle() {
    List<Spec> services = stage.world.services;
    return services.get(services.size() / 2);
  }

  @Override
  public void prepare() throws InterruptedException {
    stage.ledger.byChance = true;
    Map<String, ?> gate =
        Map.of(
            "status",
            429,
            "code",
            "SubscriptionRequestsThrottled",
            "retryAfter",
            Integer.toString(GATE));
    stage.failNext(middle(), 1, gate);
    for (Map<String, ?> how : List.of(BUSY, CHANGED, DOWN, LOCKED)) {
      byChance("PUT", QUARTER, how);
    }
    for (Map<String, ?> how : List.of(DOWN, LOCKED)) {
      byChance("GET", HALF, how);
    }
  }

  private void byChance(String method, double probability, Map<String, ?> how)
      throws InterruptedException {
    Map<String, Object> rule = new HashMap<>(how);
    rule.put("method", method);
    rule.put("path", "/backendAddressPools/");
    rule.put("probability", probability);
    rule.put("seed", stage.random.nextLong());
    stage.inject(rule);
  }

  @Override
  public void play() {
    stage.say("the storm is over");
  }

  @Override
  public void check(Judgement judgement) {
    judgement.ofOneWriter();
    judgement.ofPools();
    double amplification = storm(judgement).amplification();
    String name = "at most %s writes per pool".formatted(MOST_WRITES);
    judgement.that(name, amplification <= MOST_WRITES, "%.2f".formatted(amplification));
  }

  @Override
  public LabReport.Storm storm(Judgement judgement) {
    int pools = 0;
    for (Spec spec : stage.world.services) {
      pools += stage.world.isDualStack(spec) ? 2 : 1;
    }
    List<ArmRequest> requests = judgement.requests();
    int sent = (int) requests.stream().filter(ArmRequest::writesPool).count();
    long begin = requests.stream().mapToLong(ArmRequest::arrivedNanos).min().orElse(0);
    long end = judgement.writes().stream().mapToLong(PoolWrite::acceptedNanos).max().orElse(begin);
    double amplification = Math.round(100.0 * sent / pools) / 100.0;
    return new LabReport.Storm(pools, sent, amplification, (end - begin) / 1_000_000);
  }
}
