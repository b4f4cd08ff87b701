package io.poolkeeper.lab.scenario;

import io.poolkeeper.lab.scenario.Blueprint.Spec;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The steps of scenarios with errors: changes that certainly change a pool, and fault rules for one
 * pool.
 */
final class Acts {
  private final Stage stage;

  /**
   * The members that the pools of a Service had during the scenario; none of them is used again.
   */
  private final Map<Spec, Set<Set<String>>> held = new HashMap<>();

  Acts(Stage stage) {
    this.stage = stage;
  }

  /** Gives a Service endpoints that it had not had in this scenario. */
  void move(Spec spec) {
    World world = stage.world();
    Set<Set<String>> before = held.computeIfAbsent(spec, s -> new HashSet<>());
    before.add(world.members(spec, false).keySet());
    Set<Integer> nodes = draw();
    while (before.contains(world.membersWith(spec, 0, nodes))) {
      nodes = draw();
    }
    world.setSlice(spec, 0, nodes);
  }

  private Set<Integer> draw() {
    int first = stage.random().nextInt(Blueprint.NODES);
    return World.window(first, 2 + stage.random().nextInt(5));
  }

  /** Moves a Service whose next writes fail; {@code how} are members of the rule. */
  void fail(String service, int times, Map<String, ?> how) throws InterruptedException {
    Spec spec = Blueprint.named(service);
    failNext(spec, times, how);
    stage.ledger().refused(spec, times);
    move(spec);
  }

  /** Makes the next writes to one pool fail. */
  void failNext(Spec spec, int times, Map<String, ?> how) throws InterruptedException {
    Map<String, Object> rule = new HashMap<>(how);
    rule.put("method", "PUT");
    rule.put("path", "/backendAddressPools/%s$".formatted(spec.pool(false)));
    rule.put("times", times);
    stage.inject(rule);
  }

  /** So many intervals in whole seconds, the unit of {@code Retry-After}; at least one. */
  long seconds(double intervals) {
    return Math.max(1, Math.round(stage.interval().toMillis() * intervals / 1000));
  }

  /** Half a second less than so many seconds. */
  static Duration almost(long seconds) {
    return Duration.ofSeconds(seconds).minusMillis(500);
  }
}
