package io.poolkeeper.lab.scenario;

import io.poolkeeper.lab.scenario.Blueprint.Spec;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What the scenarios of trouble are made of: changes that really change a pool, since a retry is
 * counted by them, and fault rules that lie in wait for one pool.
 */
final class Acts {
  private final Stage stage;

  /** What the pools of a Service have held since the act began: none of it comes again. */
  private final Map<Spec, Set<Set<String>>> held = new HashMap<>();

  Acts(Stage stage) {
    this.stage = stage;
  }

  /** Gives a Service other endpoints than it had at any time in this act. */
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

  /** A rule for the next requests to one pool. */
  void lieInWait(Spec spec, String method, int times, String members) throws InterruptedException {
    stage.trouble(
        "{\"method\":\"%s\",\"path\":\"/backendAddressPools/%s$\",\"times\":%d,%s}"
            .formatted(method, spec.pool(false), times, members));
  }

  /** How many pools a Service has. */
  int pools(Spec spec) {
    return stage.world().isDualStack(spec) ? 2 : 1;
  }

  /** So many intervals in whole seconds, which is what ARM counts in; at least one. */
  long seconds(double intervals) {
    return Math.max(1, Math.round(stage.interval().toMillis() * intervals / 1000));
  }

  /** The Service of that name. */
  static Spec named(String name) {
    return Blueprint.SERVICES.stream().filter(s -> s.name().equals(name)).findFirst().orElseThrow();
  }

  /** So many seconds less half a one. */
  static Duration almost(long seconds) {
    return Duration.ofSeconds(seconds).minusMillis(500);
  }
}
