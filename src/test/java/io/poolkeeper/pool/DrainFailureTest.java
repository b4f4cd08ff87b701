package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.CONFLICT;
import static io.poolkeeper.pool.PoolFixtures.FORBIDDEN;
import static io.poolkeeper.pool.PoolFixtures.WEB_1;
import static io.poolkeeper.pool.PoolFixtures.desire;
import static io.poolkeeper.pool.PoolFixtures.leaving;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.turnstile.Lane;
import io.poolkeeper.turnstile.Priority;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Drains that fail (spec 2, Risks and Mitigations: stale state and throttling). */
class DrainFailureTest {
  private static final String BOTH = "n4=10.0.0.4,n5=10.0.0.5";

  private static PoolEvent nodes(PoolDriver pool, long version, String... leaving) {
    return new PoolEvent.NodesOutOfService(leaving(version, leaving), pool.now());
  }

  /** n4 leaves, and the turn has come: the pool is read. */
  private static PoolDriver draining() {
    PoolDriver pool = PoolDriver.settled(WEB_1, BOTH.split(",")).after(Duration.ofMinutes(1));
    pool.send(nodes(pool, 1, "n4"));
    pool.send(PoolFixtures.granted(1));
    return pool;
  }

  private static PoolEffect report(long version, Optional<ArmFailure> failure, String... pending) {
    Set<NodeKey> nodes = Stream.of(pending).map(NodeKey::new).collect(Collectors.toSet());
    return new PoolEffect.Report(new AdminReport(version, nodes, Set.of(), failure));
  }

  @ParameterizedTest
  @CsvSource({
    "1, 0, 500",
    "1, 0.5, 750",
    "1, 0.999, 999",
    "2, 0, 1000",
    "6, 0.5, 24000",
    "7, 0.999, 59970",
    "20, 0.999, 59970"
  })
  void failed_mayBeRetried_isTriedAgainAfterTheBackoff(
      int failures, double random, long expectedMillis) {
    PoolDriver pool = draining().drawing(random);
    for (int failure = 1; failure < failures; failure++) {
      pool.failed(CONFLICT);
      pool.fire();
      pool.send(PoolFixtures.granted(failure + 1));
    }

    pool.failed(CONFLICT);

    Duration wait = Duration.between(pool.now(), pool.state().wakeAt().orElseThrow());
    assertThat(wait.toMillis()).isEqualTo(expectedMillis);
    assertThat(pool.fire()).containsExactly(PoolFixtures.drain(Lane.DRAIN_RETRY, 1, 2));
  }

  @ParameterizedTest
  @CsvSource({"1, 0, 15", "1, 0.5, 22", "5, 0, 150", "9, 0.999, 299"})
  void failed_forGood_isTriedAgainLater(int failures, double random, long expectedSeconds) {
    PoolDriver pool = draining().drawing(random);
    for (int failure = 1; failure < failures; failure++) {
      pool.failed(FORBIDDEN);
      pool.fire();
      pool.send(PoolFixtures.granted(failure + 1));
    }

    pool.failed(FORBIDDEN);

    Duration wait = Duration.between(pool.now(), pool.state().wakeAt().orElseThrow());
    assertThat(wait.toSeconds()).isEqualTo(expectedSeconds);
  }

  @Test
  void failed_anotherNodeLeaves_isAFirstAttemptOfThatOne() {
    PoolDriver pool = draining();
    pool.failed(FORBIDDEN);

    assertThat(pool.send(nodes(pool, 2, "n4", "n5")))
        .containsExactly(PoolFixtures.drain(Lane.DRAIN, 2, 2));
    pool.send(PoolFixtures.granted(2));
    pool.failed(FORBIDDEN);
    assertThat(pool.fire()).containsExactly(PoolFixtures.drain(Lane.DRAIN_RETRY, 2, 2));
  }

  @Test
  void writeFails_anotherNodeHasLeftMeanwhile_isAFirstAttemptAtOnce() {
    PoolDriver pool = draining();
    pool.read(BOTH.split(","));
    pool.send(nodes(pool, 2, "n4", "n5"));

    assertThat(pool.failed(CONFLICT)).contains(PoolFixtures.drain(Lane.DRAIN, 2, 2));
  }

  @Test
  void writeFails_anotherNodeHasLeftBeforeItsRead_isARetry() {
    PoolDriver pool = draining();
    pool.send(nodes(pool, 2, "n4", "n5"));
    pool.read(BOTH.split(","));

    assertThat(pool.failed(CONFLICT)).doesNotContain(PoolFixtures.drain(Lane.DRAIN, 2, 2));
    assertThat(pool.fire()).containsExactly(PoolFixtures.drain(Lane.DRAIN_RETRY, 2, 2));
  }

  @Test
  void failed_aChangeWaitsForItsTurn_asksAsTheRetriedDrain() {
    PoolDriver pool = draining();
    pool.failed(CONFLICT);
    pool.send(desire(WEB_1, "n4=10.0.0.4", "n6=10.0.0.6"));
    assertThat(pool.fire()).containsExactly(new PoolEffect.RequestTurn(Priority.of(Lane.UPDATE)));

    assertThat(pool.after(Duration.ofSeconds(5)).send(new PoolEvent.TimerDue()))
        .containsExactly(PoolFixtures.drain(Lane.DRAIN_RETRY, 1, 2));
  }

  @Test
  void failed_afterAGlanceAtAnotherWrite_takesNoNodeForDone() {
    PoolDriver pool = draining();
    pool.read(BOTH.split(","));
    pool.failed(CONFLICT);
    pool.send(nodes(pool, 2, "n4", "n5"));
    PoolView glance = PoolFixtures.updating("n4=10.0.0.4 Down", "n5=10.0.0.5");
    pool.send(new PoolEvent.Observed(glance, pool.now()));
    pool.send(PoolFixtures.granted(2));

    assertThat(pool.failed(CONFLICT)).contains(report(1, Optional.of(CONFLICT), "n4", "n5"));
  }

  @Test
  void failedPool_recoversAndIsDamagedWhileADrainWaits_isRepaired() {
    PoolDriver pool = PoolDriver.settled(WEB_1, BOTH.split(",")).after(Duration.ofMinutes(1));
    pool.send(desire(WEB_1, "n4=10.0.0.4"));
    pool.toReading();
    pool.failed(FORBIDDEN);
    pool.send(nodes(pool, 1, "n4"));
    pool.observed(pool.now(), "n4=10.0.0.4");

    pool.observed(pool.now(), "n5=10.0.0.5");

    assertThat(pool.state().queue().repair()).as("its own timer is not set any more").isTrue();
  }
}
