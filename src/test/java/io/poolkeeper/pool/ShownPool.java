package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.POOL;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.core.Decision;
import io.poolkeeper.model.AdminState;
import io.poolkeeper.model.NodeKey;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** All that people see of a pool, so that nothing new is left unreported. */
final class ShownPool {
  private static final Set<NodeKey> NODES =
      Set.of(new NodeKey("n4"), new NodeKey("n5"), new NodeKey("n6"));

  private ShownPool() {}

  /**
   * A pool that shows the same shows it in each value, and a level of nodes that moves nothing is
   * decided as by all rules.
   */
  static void check(PoolState before, PoolEvent event, PoolDriver pool) {
    PoolState after = pool.state();
    if (!after.equals(before) && after.showsAs(before)) {
      assertThat(values(after)).isEqualTo(values(before));
    }
    if (event instanceof PoolEvent.NodesOutOfService nodes && before.unmovedBy(nodes.set())) {
      assertThat(new Decision<>(after, pool.effects()))
          .isEqualTo(pool.inFull(before, event).map(of -> of.with(undecided(of.drain(), before))));
    }
  }

  private static Drain undecided(Drain of, PoolState before) {
    long decided = before.drain().decided();
    return new Drain(of.set(), of.setSince(), of.schedule(), of.report(), decided);
  }

  private static Map<String, Object> values(PoolState state) {
    Map<String, Object> values = new TreeMap<>();
    PoolStatus status = PoolStatus.of(POOL, state);
    values(status, name -> !name.equals("picture"), values);
    values(status.picture(), name -> !name.equals("state"), values);
    values.put("states", Stream.of(AdminState.values()).map(status.picture()::count).toList());
    values.put("of nodes", status.picture().statesOf(NODES));
    return values;
  }

  private static void values(Object of, Predicate<String> which, Map<String, Object> values) {
    Stream.of(of.getClass().getDeclaredMethods())
        .filter(one -> one.getParameterCount() == 0 && which.test(one.getName()))
        .filter(one -> !Set.of("hashCode", "toString").contains(one.getName()))
        .filter(one -> !one.isSynthetic())
        .forEach(
            one -> values.put(of.getClass().getSimpleName() + "." + one.getName(), value(one, of)));
  }

  private static Object value(Method one, Object of) {
    try {
      return one.invoke(of);
    } catch (ReflectiveOperationException hidden) {
      throw new LinkageError("hidden: " + one, hidden);
    }
  }
}
