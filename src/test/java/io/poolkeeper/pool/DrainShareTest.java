package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.WEB_1;
import static io.poolkeeper.pool.PoolFixtures.desire;
import static io.poolkeeper.pool.PoolFixtures.leaving;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.turnstile.Lane;
import io.poolkeeper.turnstile.Share;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How much of a pool is leaving, as the turnstile hears it (architecture, The turnstile). */
class DrainShareTest {
  private static final PoolEffect DRAIN = PoolFixtures.drain(Lane.DRAIN, 1, 2);

  /** A pool of n4 and n5, as desired. */
  private static PoolDriver settled() {
    return PoolDriver.settled(WEB_1, "n4=10.0.0.4", "n5=10.0.0.5").after(Duration.ofMinutes(1));
  }

  private static PoolEvent nodes(PoolDriver pool, long version, String... leaving) {
    return new PoolEvent.NodesOutOfService(leaving(version, leaving), pool.now());
  }

  @ParameterizedTest
  @CsvSource({
    "n4=10.0.0.4,                          1, 1",
    "n4=10.0.0.4 n5=10.0.0.5 n6=10.0.0.6,  1, 3",
    "n4=10.0.0.4 n5=10.0.0.5/Down,         1, 1",
    "n4=10.0.0.4 n5=10.0.0.5/Up,           1, 2",
    "n4=10.0.0.4 x=10.0.0.9 nic,           1, 3"
  })
  void share_isOfTheEntriesThatAreNotDownYet(String entries, int part, int whole) {
    PoolDriver pool = settled();
    pool.send(nodes(pool, 1, "n4"));

    List<PoolEffect> effects = pool.observed(pool.now(), shown(entries));

    // A drain of one of two entries was asked for already.
    PoolEffect request = PoolFixtures.drain(Lane.DRAIN, part, whole);
    assertThat(effects.contains(request)).isEqualTo(!request.equals(DRAIN));
    assertThat(pool.state().drain().share()).isEqualTo(new Share(part, whole));
  }

  private static String[] shown(String entries) {
    return Stream.of(entries.split(" ")).map(one -> one.replace('/', ' ')).toArray(String[]::new);
  }

  @Test
  void share_anotherNodeLeavesDuringTheWait_isSaidAnew_andNotTwice() {
    PoolDriver pool = settled();
    assertThat(pool.send(nodes(pool, 1, "n4"))).containsExactly(DRAIN);

    assertThat(pool.send(nodes(pool, 2, "n4", "n5")))
        .containsExactly(PoolFixtures.drain(Lane.DRAIN, 2, 2));

    assertThat(pool.send(nodes(pool, 3, "n4", "n5", "n6"))).isEmpty();
    assertThat(pool.send(nodes(pool, 4, "n5"))).containsExactly(DRAIN);
  }

  @Test
  void share_whatIsShownWhileAChangeGathers_counts() {
    PoolDriver pool = settled();
    pool.send(nodes(pool, 1, "n6"));
    pool.send(desire(WEB_1, "n4=10.0.0.4"));

    assertThat(pool.observed(pool.now(), "n4=10.0.0.4", "n5=10.0.0.5", "n6=10.0.0.6"))
        .contains(PoolFixtures.drain(Lane.DRAIN, 1, 3));
  }
}
