package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.CONFLICT;
import static io.poolkeeper.pool.PoolFixtures.FORBIDDEN;
import static io.poolkeeper.pool.PoolFixtures.WEB_1;
import static io.poolkeeper.pool.PoolFixtures.desire;
import static io.poolkeeper.pool.PoolFixtures.leaving;
import static io.poolkeeper.pool.PoolFixtures.pool;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.turnstile.Lane;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A drain plans on the newest view of its pool, whatever the pool waits for. */
class KeptViewTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final String[] DOWN = {"n4=10.0.0.4 Down", "n5=10.0.0.5"};
  private static final String[] REVERTED = {"n4=10.0.0.4", "n5=10.0.0.5"};

  /** A pool of n4, which leaves and is Down, and n5. */
  private static PoolDriver drained() {
    PoolDriver pool = PoolDriver.settled(WEB_1, REVERTED).after(Duration.ofMinutes(1));
    pool.send(nodes(pool, 1, "n4"));
    pool.send(PoolFixtures.granted(1));
    pool.read(REVERTED);
    pool.written();
    return pool.after(SECOND);
  }

  private static PoolEvent nodes(PoolDriver pool, long version, String... leaving) {
    return new PoolEvent.NodesOutOfService(leaving(version, leaving), pool.now());
  }

  static Stream<Arguments> phases() {
    PoolDriver gathering = drained();
    gathering.send(desire(WEB_1, "n5=10.0.0.5"));
    PoolDriver waiting = drained();
    waiting.send(desire(WEB_1, "n5=10.0.0.5"));
    waiting.fire();
    PoolDriver parked = drained();
    parked.send(desire(WEB_1, "n5=10.0.0.5"));
    parked.toReading().failed(PoolFixtures.throttled(parked.now().plusSeconds(600)));
    PoolDriver reading = drained();
    reading.send(desire(WEB_1, "n5=10.0.0.5"));
    reading.toReading();
    return Stream.of(gathering, waiting, parked, reading)
        .map(pool -> Arguments.of(pool.phase().getClass().getSimpleName(), pool));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("phases")
  void listing_thatShowsARevert_isKept_andANewerSnapshotDoesNotCancelTheDrain(
      String phase, PoolDriver before) {
    PoolDriver pool = before.copy();
    pool.observed(pool.now(), REVERTED);
    assertThat(pool.state().observed()).contains(pool(REVERTED));
    Instant due = pool.state().drain().due().orElseThrow();

    pool.after(SECOND).send(nodes(pool, 2, "n4", "n6"));

    assertThat(pool.state().drain().due()).contains(due);
  }

  /** A listing that took a minute, beside a look of a second. */
  @Test
  void view_ofACallThatBeganBeforeTheOneShownLast_isIgnored() {
    PoolDriver pool = drained().after(Duration.ofMinutes(1));
    Instant look = pool.now();
    pool.observed(look, DOWN);

    pool.observed(look.minus(SECOND), REVERTED);

    assertThat(pool.state().observed()).contains(pool(DOWN));
    pool.observed(look, REVERTED);
    assertThat(pool.state().observed()).contains(pool(REVERTED));
  }

  @Test
  void readOfADrain_thatIsGivenBack_isKept() {
    PoolDriver pool = drained();
    pool.observed(pool.now(), REVERTED);
    pool.send(PoolFixtures.granted(2));

    pool.send(PoolFixtures.read(PoolFixtures.updating(REVERTED)));

    assertThat(pool.state().observed()).contains(PoolFixtures.updating(REVERTED));
    assertThat(pool.state().wakeAt()).contains(pool.now().plusSeconds(1));
    assertThat(pool.send(nodes(pool, 2, "n4", "n6"))).isEmpty();
    assertThat(pool.state().wakeAt()).contains(pool.now().plusSeconds(1));
  }

  /** The GET fails while a change gathers: the drain backs off, and no snapshot changes that. */
  @Test
  void failingGet_whileAChangeIsParked_backsOffAsDocumented() {
    PoolDriver pool = drained();
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    pool.toReading().failed(PoolFixtures.throttled(pool.now().plusSeconds(600)));
    pool.after(SECOND).observed(pool.now(), REVERTED);
    for (int failures = 1; failures <= 4; failures++) {
      pool.send(PoolFixtures.granted(10 + failures));

      pool.failed(FORBIDDEN);

      Duration wait = Duration.ofMillis(22_500L << (failures - 1));
      assertThat(pool.state().wakeAt()).contains(pool.now().plus(wait));
      pool.after(SECOND).send(nodes(pool, 1 + failures, "n4"));
      assertThat(pool.state().wakeAt()).contains(pool.now().minus(SECOND).plus(wait));
      pool.observed(pool.now(), REVERTED);
      assertThat(pool.fire()).containsExactly(PoolFixtures.drain(Lane.DRAIN_RETRY, 1, 2));
    }
  }

  /** The PUT may have come through: the view from before it cannot say that nothing is wrong. */
  @Test
  void put_thatFailed_keepsTheDrainUntilACallShowsThePool() {
    PoolDriver pool = PoolDriver.settled(WEB_1, REVERTED).after(Duration.ofMinutes(1));
    pool.send(nodes(pool, 1, "n4"));
    pool.send(PoolFixtures.granted(1));
    pool.read(REVERTED);
    pool.failed(CONFLICT);
    Instant due = pool.now().plusMillis(750);
    assertThat(pool.state().wakeAt()).contains(due);

    pool.send(nodes(pool, 2));

    assertThat(pool.state().wakeAt()).contains(due);
    pool.fire();
    pool.send(PoolFixtures.granted(2));
    assertThat(pool.read(DOWN)).contains(pool.write("n4 None"));
  }

  @Test
  void put_thatFailedAfterTheNodeReturned_keepsTheDrain() {
    PoolDriver pool = PoolDriver.settled(WEB_1, REVERTED).after(Duration.ofMinutes(1));
    pool.send(nodes(pool, 1, "n4"));
    pool.send(PoolFixtures.granted(1));
    pool.read(REVERTED);
    pool.send(nodes(pool, 2));
    pool.failed(CONFLICT);

    pool.send(nodes(pool, 3, "n6"));

    assertThat(pool.state().wakeAt()).contains(pool.now().plusMillis(750));
    pool.observed(pool.now(), REVERTED);
    assertThat(pool.state().wakeAt()).as("a listing shows that nothing is wrong").isEmpty();
    assertThat(pool.state().drain().due()).isEqualTo(Optional.empty());
  }
}
