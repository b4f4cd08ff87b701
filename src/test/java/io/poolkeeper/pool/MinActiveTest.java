package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolDriver.settled;
import static io.poolkeeper.pool.PoolFixtures.T0;
import static io.poolkeeper.pool.PoolFixtures.pool;
import static io.poolkeeper.pool.PoolFixtures.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.AdminState;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.OutOfService;
import io.poolkeeper.model.OutOfService.Leaving;
import io.poolkeeper.model.OutOfService.Reason;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.PoolView;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How many entries of a pool stay in service, whoever leaves: {@code admin-state.min-active}. */
class MinActiveTest {
  /** These nodes leave, in this order; those that are joined by a plus sign at the same time. */
  private static OutOfService leaving(long version, int minActive, String nodes) {
    NavigableMap<NodeKey, Leaving> out = new TreeMap<>();
    List<String> times = words(nodes).toList();
    for (String time : times) {
      for (String node : time.split("\\+", -1)) {
        out.put(
            new NodeKey(node),
            new Leaving(
                "uid-" + node, Set.of(Reason.SHUTDOWN), T0.plusSeconds(times.indexOf(time))));
      }
    }
    return PoolFixtures.leaving(version, out, minActive);
  }

  private static PoolDriver leave(PoolDriver pool, long version, String nodes) {
    return pool.send(new PoolEvent.NodesOutOfService(leaving(version, 1, nodes), pool.now()));
  }

  private static String text(AdminPlan plan) {
    return PoolFixtures.text(PoolEdit.NONE.with(plan.edit()));
  }

  @ParameterizedTest
  @CsvSource({
    "n4 n5 n6, 1, n6 n4 n5, n4/Down n6/Down, n5", // the last signals
    "n6 n5 n4, 2, n6+n5+n4, n4/Down, n5 n6", // by name
    "n4 n5/Down, 1, n4 n5, '', n4", // to lift it would be a write that helps nobody
    "n4 x=9, 1, n4, n4/Down, ''",
    "n4 x=9/Down, 1, n4, '', n4"
  })
  void plan_keepsThoseThatShouldStay(
      String entries, int floor, String leaving, String edit, String held) {
    AdminPlan plan = AdminPlan.of(pool(entries), leaving(1, floor, leaving));

    assertThat(text(plan)).isEqualTo(edit);
    assertThat(plan.held()).isEqualTo(words(held).map(NodeKey::new).collect(Collectors.toSet()));
  }

  static Stream<String> states() {
    List<String> all = List.of("", "/Up", "/Down");
    return all.stream()
        .flatMap(
            a ->
                all.stream().flatMap(b -> all.stream().map(c -> "n4" + a + " n5" + b + " n6" + c)));
  }

  /** Every state of three entries, whoever leaves, every floor. */
  @ParameterizedTest
  @MethodSource("states")
  void plan_whateverThePoolHolds_setsDownAsManyAsMayBe(String states) {
    PoolView seen = pool(states);
    for (String gone : List.of("", "n4", "n5", "n6", "n4 n5", "n4 n6", "n5 n6", "n4 n5 n6")) {
      for (int floor = 0; floor <= 4; floor++) {
        AdminPlan plan = AdminPlan.of(seen, leaving(1, floor, gone));
        PoolView after = seen.with(PoolEdit.NONE.with(plan.edit()));
        long returns = plan.edit().values().stream().filter(AdminState.NONE::equals).count();
        long most = active(seen) + returns;
        long wanted =
            seen.entries().stream()
                .filter(e -> e.adminState() != AdminState.DOWN && gone.contains(e.name()))
                .count();
        assertThat(active(after))
            .as("%s leave of %s, floor %d", gone, states, floor)
            .isEqualTo(Math.max(most - wanted, Math.min(floor, most)));
        assertThat(plan.edit().size() - returns + plan.held().size()).isEqualTo(wanted);
        assertThat(AdminPlan.of(after, leaving(1, floor, gone)).isEmpty())
            .as("a second verification wants nothing")
            .isTrue();
      }
    }
  }

  private static long active(PoolView pool) {
    return pool.entries().stream().filter(e -> e.adminState() != AdminState.DOWN).count();
  }

  @Test
  void held_isReportedAndNeitherWrittenNorTriedAgain() {
    PoolDriver pool = leave(settled("n4").after(60), 1, "n4").out("");

    pool.shows("n4").out("report 1 held n4").is("Idle").rests();
  }

  @Test
  void held_whenAnotherNodeReturns_isSetDownInTheSameWrite() {
    PoolDriver pool = leave(settled("n4 n5").after(60).shows("n4/Down n5"), 1, "n4 n5");

    leave(pool, 2, "n5").out("permit DRAIN 1/1").granted();

    pool.read("n4/Down n5").has("put n4/None n5/Down");
  }

  @ParameterizedTest
  @ValueSource(strings = {"n6", "n9"})
  void held_whenAListingShowsAnotherEntry_isSetDown(String other) {
    PoolDriver pool = leave(settled("n4").after(60), 1, "n4").shows("n4 " + other);

    pool.has("report 1 pending n4", "permit DRAIN 1/2");
  }
}
