package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolDriver.changed;
import static io.poolkeeper.pool.PoolDriver.settled;
import static io.poolkeeper.pool.PoolFixtures.ADMITTED;
import static io.poolkeeper.pool.PoolFixtures.API;
import static io.poolkeeper.pool.PoolFixtures.LIMITS;
import static io.poolkeeper.pool.PoolFixtures.T0;
import static io.poolkeeper.pool.PoolFixtures.WEB;
import static io.poolkeeper.pool.PoolFixtures.pool;
import static io.poolkeeper.pool.PoolFixtures.updating;
import static io.poolkeeper.pool.PoolFixtures.withRules;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.ratelimit.Priority;
import io.poolkeeper.ratelimit.PriorityLevel;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whose pool it is may change at any moment; who does not own it is neither served nor told. */
class PoolCoreOwnershipTest {
  private static final PoolView API_ONLY = withRules(Set.of("aapi-TCP-80"), "n4");

  /** Two Services want n5 and n6 where n4 is. */
  private static PoolDriver two() {
    return changed().api("n6");
  }

  @Test
  void release_beforeThePermit_leavesTheLineAndRests() {
    changed().release(WEB).out("").is("Idle").rests().after(0.1).tick().out("");
    changed().timer().release(WEB).out("cancel").is("Idle").granted().out("return UNUSED");
    changed().reading().read(updating("n4")).timer().release(WEB).out("cancel").is("Idle");
    settled("n4").shows("drift=9").release(WEB).is("Idle").rests();
  }

  @Test
  void release_beforeThePermitOfTwo_keepsTheOthersChangeAndDue() {
    PoolDriver pool = two().after(0.05).release(WEB).out("").wakes(0.05).is("Gathering", 0);

    pool.writing("n4").out("put -4 +n6").written().has("api updated").lacks("web");
  }

  @Test
  void release_whileReading_endsWithoutPut_andIsNotLookedAtAgain() {
    PoolDriver pool = changed().reading().release(WEB).out("");

    pool.copy().read("n4").out("return UNCHANGED").is("Idle");
    pool.read(updating("n4")).out("return OTHER_WRITER").is("Idle").rests();
  }

  @Test
  void release_whileReadingForTwo_plansForTheOtherAlone() {
    PoolDriver pool = two().reading().release(WEB).read("n4").out("put -4 +n6");

    pool.written().out("return SUCCEEDED; api updated; count updated; verification");
  }

  @Test
  void release_whileWriting_isNeitherToldNorCounted() {
    PoolDriver pool = changed().writing("n4").release(WEB);

    pool.copy().written().out("return SUCCEEDED; verification").is("Idle");
    pool.failed(403).out("return FAILED");
  }

  @Test
  void read_asWishedAfterARetry_isASuccessOfThoseWhoStillOwnThePool() {
    PoolDriver pool = changed().api("n5").reading().failed(412).reading();

    pool.read(withRules(Set.of("aapi-TCP-80"), "n5")).has("api updated").lacks("web");
  }

  @Test
  void release_unknownService_changesNothing() {
    changed().release(API).out("").wakes(0.1).is("Gathering", 0);
  }

  private static PoolEffect permit(String namespace) {
    return new PoolEffect.RequestPermit(Priority.of(PriorityLevel.UPDATE).in(namespace));
  }

  @Test
  void permit_ownersChangeMeanwhile_isWantedForTheirOnlyNamespace() {
    PoolDriver pool = changed().timer();
    assertThat(pool.effects()).containsExactly(permit("default"));
    assertThat(pool.api("n6").effects()).isEmpty();

    ServiceKey other = new ServiceKey("team", "web");
    pool.send(PoolFixtures.desire(PoolFixtures.owns(other, "uid-team", 3, "ateam"), "n7"));

    assertThat(pool.effects()).containsExactly(permit(""));
    assertThat(pool.release(WEB).effects()).isEmpty();
    assertThat(pool.release(API).effects()).containsExactly(permit("team"));
  }

  @Test
  void desire_afterAMoveAwayAndBackWhileWriting_concernsTheNewAssignmentOnly() {
    PoolDriver pool = changed().writing("n4").release(WEB);
    pool.send(PoolFixtures.desire(PoolFixtures.owns(WEB, "uid-reborn", 8, "aweb"), "n6"));

    pool.written().out("return SUCCEEDED; verification").writing("n5");
    pool.written().has("default/web updated", "count updated").lacks("web updated");
  }

  @Test
  void read_noRuleAtAll_poolIsBoundToTheService_isWrittenOnceItsMarkIsKnown() {
    Ownership bound = new Ownership(WEB, "uid-web", 1, Optional.empty(), new Level.Unknown());
    PoolDriver pool =
        new PoolDriver(LIMITS).shows(pool("n4"), T0).send(PoolFixtures.desire(bound, "n4"));
    pool.send(PoolFixtures.desire(bound, "n5"));

    pool.copy().writing("n4").lacks("put");
    pool.send(ADMITTED).reading().read(withRules(Set.of(), "n4")).out("put -4 +n5 marked");
  }

  @ParameterizedTest
  @CsvSource({"AWEB-subnet-TCP-80, true", "awebshop-TCP-80, false", "aapi-TCP-80, false"})
  void read_ruleOfTheOnlyService_isOfItsPrefix(String rule, boolean own) {
    PoolDriver pool = changed().reading().read(withRules(Set.of(rule), "n4"));

    pool.out(own ? "put -4 +n5" : "listing; return UNCHANGED").is(own ? "Writing" : "Idle");
  }

  @Test
  void read_ruleOfOneOfTwoIsGone_addsTheOthersRemovesNothingAndTellsTheOtherOnly() {
    PoolDriver pool = two().reading().read(API_ONLY).out("listing; put +n6");

    pool.copy().failed(403).out("return FAILED; api failed; count failed; failing");
    pool.written().out("return SUCCEEDED; api updated; count updated; verification");
  }

  @Test
  void written_repairWhileAServiceJoins_tellsThoseItWasPlannedFor() {
    PoolDriver pool = settled("n4").shows("n4 stale=9").writing("n4 stale=9").api("n4");

    pool.written().has("web updated").lacks("api");
  }
}
