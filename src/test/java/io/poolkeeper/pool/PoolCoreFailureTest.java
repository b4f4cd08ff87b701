package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolDriver.changed;
import static io.poolkeeper.pool.PoolDriver.refused;
import static io.poolkeeper.pool.PoolDriver.settled;
import static io.poolkeeper.pool.PoolFixtures.API;
import static io.poolkeeper.pool.PoolFixtures.API_2;
import static io.poolkeeper.pool.PoolFixtures.NOT_FOUND;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.RequestIds;
import org.junit.jupiter.api.Test;

/** What becomes of an attempt that cannot do its work. */
class PoolCoreFailureTest {
  private static final PoolEvent API_UNKNOWN = PoolFixtures.desire(API_2, PoolFixtures.unknown());

  @Test
  void failed_getOrPut_tellsCountsAndTurnsDirty() {
    PoolDriver get = changed().reading().after(1).failed(403);
    get.out("return UNREAD; web failed; count failed PT1S; failing").is("Failed").wakes(11.25);
    assertThat(get.status().lastError()).contains(PoolFixtures.failure(403, "Code403"));
    assertThat(get.status().attempts().failures()).isEqualTo(1);

    PoolDriver put = changed().writing("n4").after(1).failed(400);
    put.out("return FAILED; web failed; count failed PT1S; failing");
  }

  @Test
  void failed_eventText_isTheSpecsSentenceFollowedByOurs() {
    ArmFailure refusal =
        new ArmFailure(ArmFailure.Kind.RESPONSE, 403, "Forbidden", "No rights.")
            .with(new RequestIds("c", "r", "mine"));

    assertThat(changed().reading().failed(refusal).effects())
        .filteredOn(PoolEffect.Emit.class::isInstance)
        .singleElement()
        .hasToString(
            "Emit[event=ObjectEvent[about=default/web, type=WARNING,"
                + " reason=LoadBalancerBackendPoolUpdateFailed, message=Backend pool update failed"
                + " (non-retriable): HTTP 403 Forbidden: No rights. (x-ms-correlation-request-id c,"
                + " x-ms-request-id r). Poolkeeper also tries again by itself.]]");
  }

  @Test
  void failed_twoServices_eachIsToldOnce() {
    PoolDriver pool = changed().web("n6").api("n7").reading().failed(403);

    pool.out("return UNREAD; web failed; api failed; count failed; failing");
  }

  @Test
  void failed_notFoundAfterATryThatMayHaveBeenTaken_leavesTheWriteInDoubt() {
    changed().writing("n4").failed(NOT_FOUND.afterDoubtfulTry()).has("return UNRESOLVED");
  }

  @Test
  void failed_whileNothingIsInFlight_isIgnored() {
    settled("n4").failed(403).out("").is("Idle");
  }

  @Test
  void failed_changeCameMeanwhile_isGatheredForTheSpacing() {
    changed().reading().web("n6").failed(403).is("Gathering", 0).wakes(2);
  }

  @Test
  void change_failsTheSameWayAgain_isToldBecauseAChangeWasLost() {
    refused().web("n6").reading().failed(403).out("return UNREAD; web failed; count failed again");
  }

  @Test
  void failed_otherStatusSameCode_isAnotherClass() {
    refused().reading().failed(PoolFixtures.failure(401, "Code403")).has("web failed");
  }

  @Test
  void desire_thatChangesNothing_armsAFailedPoolAgain() {
    refused().web("n5").out("").wakes(1).is("Failed").reading().out("retry TERMINAL; read");
    refused().send(API_UNKNOWN).out("").wakes(1).is("Failed");
  }

  @Test
  void release_cancelsWhatAFailedPoolGathers_leavesItFailed() {
    refused().api("n7").release(API).is("Failed").web("n5").wakes(1);
  }

  @Test
  void desire_ofANewServiceThatMakesAFailedPoolRight_hasItReadAndTurnsItClean() {
    PoolDriver pool = settled("n4 n5").web("n4").reading().failed(403).api("n5");

    pool.writing("n4 n5").out("return UNCHANGED; recovered");
  }

  /** A load balancer that is busy being made anew. */
  @Test
  void put_thatDoesNotFindWhatTheGetHasShown_isTriedOnceMoreTwoSecondsLater() {
    PoolDriver pool = changed().writing("n4").failed(404);

    pool.out("return FAILED; listing; failing").is("Gathering", 0).wakes(2);
    pool.copy().reading().failed(404).out("return UNREAD; listing; dropped").is("Idle").rests();
    pool.writing("n4").out("put -4 +n5").written().has("recovered", "web updated").is("Idle");
  }

  /** Listings go on to show it, and each drift would begin anew. */
  @Test
  void put_ofARepair_thatDoesNotFindThePoolAgainAndAgain_backsOff() {
    PoolDriver pool = changed().writing("n4").failed(404).writing("n4").failed(404).shows("n4");

    pool.writing("n4").failed(404).lacks("web").is("Failed").wakes(11.25);
    pool.writing("n4").failed(404).wakes(22.5).writing("n4").failed(404).wakes(45);
  }

  @Test
  void failingPool_thatIsNotThereAnyMore_isNoSignThatArmHasRecovered() {
    changed().writing("n4").failed(403).reading().failed(404).has("dropped").lacks("recovered");
  }
}
