package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolDriver.settled;
import static io.poolkeeper.pool.PoolFixtures.API_2;
import static io.poolkeeper.pool.PoolFixtures.LIMITS;
import static io.poolkeeper.pool.PoolFixtures.T0;
import static io.poolkeeper.pool.PoolFixtures.WEB_1;
import static io.poolkeeper.pool.PoolFixtures.desire;
import static io.poolkeeper.pool.PoolFixtures.unknown;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

/** State that should not exist is listed, and found once (spec 4, Detection). */
class LeftoversTest {
  private static PoolDriver fresh() {
    return new PoolDriver(LIMITS);
  }

  /** What is listed, such as {@code ADDRESS n5 (10.0.0.5)}, since then. */
  private static PoolDriver listed(PoolDriver pool, Instant since, String... leftovers) {
    assertThat(pool.status().picture().leftovers().keySet())
        .extracting(one -> one.kind() + " " + one)
        .containsExactly(leftovers);
    assertThat(pool.status().picture().leftovers().values()).allMatch(since::equals);
    return pool;
  }

  /** What was found, for whom, and that it is said so. */
  private static void found(PoolDriver pool, String about, String kind, String what) {
    String text =
        "Found state that should not exist in backend pool lb-1/default-web: %s. It is put right."
            .formatted(what);
    assertThat(pool.effects())
        .filteredOn(PoolEffect.Found.class::isInstance)
        .singleElement()
        .hasToString(
            ("Found[kind=%s, entries=1, text=%s, events=[ObjectEvent[about=%s, type=WARNING,"
                    + " reason=LoadBalancerLeftoverFound, message=%s]]]")
                .formatted(kind, text, about, text));
  }

  @Test
  void start_addressThatNoServiceWants_isFoundAndListed() {
    PoolDriver pool = fresh().shows("n4 n5").lacks("found").web("n4");

    found(
        pool, "default/web", "ADDRESS", "entries that no Service wants (1, such as n5 (10.0.0.5))");
    listed(pool, T0, "ADDRESS n5 (10.0.0.5)");
  }

  /** What the process itself is to write is listed, but not found. */
  @Test
  void start_whatChangedDuringIt_isListed_butNotFound() {
    PoolDriver change = fresh().shows("n4 n5");
    change
        .send(new PoolEvent.Desire(WEB_1.wanting(PoolFixtures.exactly("n4")), true))
        .lacks("found");
    listed(change, T0, "ADDRESS n5 (10.0.0.5)");

    PoolDriver returned = fresh().leave("n4").leave("").shows("n4/Down n5").web("n4 n5");
    listed(returned.lacks("found"), T0, "DOWN n4 (10.0.0.4)");
  }

  @Test
  void start_whileWhatTheServiceWantsIsUnknown_noAddressIsFound() {
    fresh().shows("n4 n5").send(PoolFixtures.desire(WEB_1, unknown())).lacks("found");
  }

  /** The way of every rolling restart: the pool is behind because the change is new. */
  @Test
  void change_ofWhatAServiceWants_isListedUntilWritten_butNotFound() {
    PoolDriver pool = settled("n4 n5").after(60).web("n4").lacks("found");
    listed(pool, pool.now(), "ADDRESS n5 (10.0.0.5)");

    listed(pool.writing("n4 n5").written(), pool.now());
    pool.shows("n4 n5").lacks("found");
  }

  @Test
  void listing_addressAddedByAnother_isFoundOnce() {
    PoolDriver pool = settled("n4 n5").after(60).shows("n4 n5 n6");

    found(
        pool, "default/web", "ADDRESS", "entries that no Service wants (1, such as n6 (10.0.0.6))");
    pool.shows("n4 n5 n6").lacks("found");
  }

  @Test
  void start_entryLeftDown_isFoundOnTheService_andItsAgeCountsFromTheFirstLook() {
    PoolDriver pool = fresh().leave("").shows("n4/Down n5").after(60).web("n4 n5");

    found(
        pool,
        "default/web",
        "DOWN",
        "entries that are Down although their nodes are in service (1, such as n4 (10.0.0.4))");
    listed(pool, T0, "DOWN n4 (10.0.0.4)");
  }

  @Test
  void listing_stateOfANodeInAPoolOfNoService_isFoundOnTheNode() {
    PoolDriver pool = fresh().leave("n5").shows("n4/Down n5/Down").granted();

    found(
        pool,
        "n4",
        "DOWN",
        "entries that are Down although their nodes are in service (1, such as n4 (10.0.0.4))");
  }

  @Test
  void start_entryOfANodeThatLeftBefore_isFound() {
    fresh().leave("n4").shows("n4 n5").lacks("found").web("n4 n5").has("found NOT_DOWN 1");
  }

  @Test
  void signal_whileTheProcessRuns_isNoLeftoverFound_butTheRevertOfItsWriteIs() {
    PoolDriver pool = settled("n4 n5").after(60).leave("").shows("n4 n5").leave("n4");
    listed(pool.lacks("found"), pool.now(), "NOT_DOWN n4 (10.0.0.4)");

    listed(pool.granted().read("n4 n5").after(1).written().lacks("found"), pool.now());

    pool.shows("n4/Down n5").lacks("found").after(60).shows("n4 n5").has("found NOT_DOWN 1");
  }

  /** A cleanup that asks one owner only removes what another one uses, again and again. */
  @Test
  void cleanup_ofAPoolWithTwoOwners_removesOnlyWhatNeitherWants() {
    PoolDriver pool = fresh().shows("n4 n5 n6").send(PoolFixtures.desire(API_2, unknown()));
    listed(pool.web("n4"), T0);

    listed(pool.send(desire(API_2, "n5")), T0, "ADDRESS n6 (10.0.0.6)");
    pool.writing("n4 n5 n6").has("put -6");
  }

  @Test
  void drainThatBacksOff_nothingIsFound() {
    PoolDriver pool = settled("n4 n5").after(60).leave("n4").granted().failed(412).after(0.1);

    pool.is("Idle").shows("n4 n5 n9").lacks("found");
  }

  @Test
  void lostWatch_nothingIsFound() {
    settled("n4 n5").after(60).send(new PoolEvent.WatchLost(1)).shows("n4 n6").lacks("found");
  }
}
