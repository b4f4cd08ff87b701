package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.T0;
import static io.poolkeeper.pool.PoolFixtures.WEB_1;
import static io.poolkeeper.pool.PoolFixtures.pool;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.AdminState;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.OutOfService;
import io.poolkeeper.model.OutOfService.Leaving;
import io.poolkeeper.model.OutOfService.Reason;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.PoolEntry;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.turnstile.Lane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How many entries of a pool stay in service, whoever leaves: {@code admin-state.min-active}. */
class MinActiveTest {
  private static final Set<NodeKey> NOBODY = Set.of();

  /** These nodes leave, in this order. */
  private static OutOfService leaving(long version, int minActive, String... nodes) {
    NavigableMap<NodeKey, Leaving> out = new TreeMap<>();
    for (String node : nodes) {
      out.put(
          new NodeKey(node),
          new Leaving("uid-" + node, Set.of(Reason.SHUTDOWN), T0.plusSeconds(out.size())));
    }
    return new OutOfService(version, PoolFixtures.leaving(version).nodes(), out, true, minActive);
  }

  private static List<String> down(AdminPlan plan) {
    return plan.edit().entrySet().stream()
        .filter(entry -> entry.getValue() == AdminState.DOWN)
        .map(Map.Entry::getKey)
        .toList();
  }

  private static Set<NodeKey> keys(String... nodes) {
    return Stream.of(nodes).map(NodeKey::new).collect(Collectors.toSet());
  }

  @Test
  void plan_allNodesLeave_keepsThoseWhoseSignalCameLast() {
    PoolView seen = pool("n4=10.0.0.4", "n5=10.0.0.5", "n6=10.0.0.6");

    AdminPlan plan = AdminPlan.of(seen, leaving(1, 1, "n6", "n4", "n5"));

    assertThat(down(plan)).containsExactly("n4", "n6");
    assertThat(plan.held()).isEqualTo(keys("n5"));
  }

  @Test
  void plan_signalsAtTheSameTime_goByName() {
    PoolView seen = pool("n6=10.0.0.6", "n5=10.0.0.5", "n4=10.0.0.4");
    OutOfService same = PoolFixtures.leaving(1, "n4", "n5", "n6");

    AdminPlan plan = AdminPlan.of(seen, new OutOfService(1, same.nodes(), same.leaving(), true, 2));

    assertThat(down(plan)).containsExactly("n4");
    assertThat(plan.held()).isEqualTo(keys("n5", "n6"));
  }

  /** Even if its signal came later: to lift it would be a write that helps nobody. */
  @Test
  void plan_entryIsDownAlready_staysDown() {
    PoolView seen = pool("n4=10.0.0.4", "n5=10.0.0.5 Down");

    AdminPlan plan = AdminPlan.of(seen, leaving(1, 1, "n4", "n5"));

    assertThat(plan.isEmpty()).isTrue();
    assertThat(plan.held()).isEqualTo(keys("n4"));
  }

  @Test
  void plan_entryOfNoKnownNode_countsIfItIsNotDown() {
    assertThat(down(AdminPlan.of(pool("n4=10.0.0.4", "x=10.0.0.9"), leaving(1, 1, "n4"))))
        .containsExactly("n4");
    assertThat(down(AdminPlan.of(pool("n4=10.0.0.4", "x=10.0.0.9 Down"), leaving(1, 1, "n4"))))
        .isEmpty();
  }

  static Stream<List<AdminState>> states() {
    List<AdminState> all = List.of(AdminState.values());
    return all.stream()
        .flatMap(a -> all.stream().flatMap(b -> all.stream().map(c -> List.of(a, b, c))));
  }

  /** Every state of three entries, whoever leaves, every floor. */
  @ParameterizedTest
  @MethodSource("states")
  void plan_whateverThePoolHolds_setsDownAsManyAsMayBe(List<AdminState> states) {
    List<PoolEntry> entries = new ArrayList<>();
    IntStream.range(0, 3)
        .forEach(
            i ->
                entries.add(
                    new PoolEntry(
                        "n" + (4 + i),
                        pool("n=10.0.0." + (4 + i)).entries().getFirst().address(),
                        Optional.empty(),
                        states.get(i))));
    PoolView base = pool();
    PoolView seen = new PoolView(base.id(), "", false, entries, base.rules(), true);
    for (int who = 0; who < 8; who++) {
      int subset = who;
      String[] gone =
          IntStream.range(0, 3)
              .filter(i -> (subset >> i & 1) == 1)
              .mapToObj(i -> "n" + (4 + i))
              .toArray(String[]::new);
      for (int floor = 0; floor <= 4; floor++) {
        AdminPlan plan = AdminPlan.of(seen, leaving(1, floor, gone));
        PoolView after = seen.with(PoolEdit.NONE.with(plan.edit()));
        long wasActive = active(seen);
        Set<String> mayGo = Set.of(gone);
        long returns = plan.edit().values().stream().filter(AdminState.NONE::equals).count();
        long wanted =
            entries.stream()
                .filter(e -> e.adminState() != AdminState.DOWN && mayGo.contains(e.name()))
                .count();
        long expected =
            Math.max(wasActive + returns - wanted, Math.min(floor, wasActive + returns));
        assertThat(active(after))
            .as("%s leave of %s, floor %d", mayGo, states, floor)
            .isEqualTo(expected);
        assertThat(down(plan).size() + plan.held().size()).isEqualTo((int) wanted);
        assertThat(AdminPlan.of(after, leaving(1, floor, gone)).isEmpty())
            .as("a second look wants nothing")
            .isTrue();
      }
    }
  }

  private static long active(PoolView pool) {
    return pool.entries().stream().filter(e -> e.adminState() != AdminState.DOWN).count();
  }

  private static PoolDriver settled(String... entries) {
    return PoolDriver.settled(WEB_1, entries).after(Duration.ofMinutes(1));
  }

  private static PoolEffect report(long version, Set<NodeKey> pending, Set<NodeKey> held) {
    return new PoolEffect.Report(new AdminReport(version, pending, held, Optional.empty()));
  }

  @Test
  void held_isReportedAndNeitherWrittenNorTriedAgain() {
    PoolDriver pool = settled("n4=10.0.0.4");

    assertThat(pool.send(new PoolEvent.NodesOutOfService(leaving(1, 1, "n4"), pool.now())))
        .isEmpty();

    assertThat(pool.observed(pool.now(), "n4=10.0.0.4"))
        .containsExactly(report(1, NOBODY, keys("n4")));
    assertThat(pool.after(Duration.ofHours(1)).phase()).isEqualTo(new Phase.Idle());
  }

  @Test
  void held_whenAnotherNodeReturns_isSetDownInTheSameWrite() {
    PoolDriver pool = settled("n4=10.0.0.4", "n5=10.0.0.5");
    pool.observed(pool.now(), "n4=10.0.0.4 Down", "n5=10.0.0.5");
    pool.send(new PoolEvent.NodesOutOfService(leaving(1, 1, "n4", "n5"), pool.now()));

    assertThat(pool.send(new PoolEvent.NodesOutOfService(leaving(2, 1, "n5"), pool.now())))
        .containsExactly(PoolFixtures.drain(Lane.DRAIN, 1, 1));

    pool.send(PoolFixtures.granted(1));
    assertThat(pool.read("n4=10.0.0.4 Down", "n5=10.0.0.5"))
        .contains(pool.write("n4 None", "n5 Down"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"n6=10.0.0.6", "n9=10.0.0.9"})
  void held_whenAListingShowsAnotherEntry_isSetDown(String other) {
    PoolDriver pool = settled("n4=10.0.0.4");
    pool.send(new PoolEvent.NodesOutOfService(leaving(1, 1, "n4"), pool.now()));

    assertThat(pool.observed(pool.now(), "n4=10.0.0.4", other))
        .contains(report(1, keys("n4"), NOBODY), PoolFixtures.drain(Lane.DRAIN, 1, 2));
  }
}
