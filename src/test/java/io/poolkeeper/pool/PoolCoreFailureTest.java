package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.API_2;
import static io.poolkeeper.pool.PoolFixtures.CLEAN;
import static io.poolkeeper.pool.PoolFixtures.DIRTY;
import static io.poolkeeper.pool.PoolFixtures.FORBIDDEN;
import static io.poolkeeper.pool.PoolFixtures.MIN_INTERVAL;
import static io.poolkeeper.pool.PoolFixtures.NOT_FOUND;
import static io.poolkeeper.pool.PoolFixtures.WEB_1;
import static io.poolkeeper.pool.PoolFixtures.countFailed;
import static io.poolkeeper.pool.PoolFixtures.desire;
import static io.poolkeeper.pool.PoolFixtures.emitFailed;
import static io.poolkeeper.pool.PoolFixtures.failure;
import static io.poolkeeper.pool.PoolFixtures.unknown;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.ObjectEvent;
import io.poolkeeper.model.ObjectReference;
import io.poolkeeper.model.RequestIds;
import io.poolkeeper.model.TurnResult;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of an attempt that cannot do its work. */
class PoolCoreFailureTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final ArmFailure MALFORMED = failure(400, "InvalidRequestFormat");

  /** A pool whose only Service wants n5 where n4 is; the GET is under way. */
  static PoolDriver reading() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4");
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    return pool.toReading();
  }

  /** As {@link #reading}, and the GET was refused. */
  static PoolDriver failed() {
    PoolDriver pool = reading();
    pool.failed(FORBIDDEN);
    return pool.after(SECOND);
  }

  /** As {@link #failed}, and its own timer has it read again. */
  static PoolDriver repairing() {
    return failed().toReading();
  }

  @Test
  void failed_get_tellsCountsAndTurnsDirty() {
    PoolDriver pool = reading();

    assertThat(pool.after(SECOND).failed(FORBIDDEN))
        .containsExactly(
            PoolFixtures.unread(1),
            emitFailed(WEB_1, FORBIDDEN),
            countFailed(FORBIDDEN, SECOND),
            DIRTY);
    assertThat(pool.phase()).isEqualTo(new Phase.Failed(pool.now().plusMillis(11_250)));
    assertThat(pool.state().failing()).contains(new Failing(FORBIDDEN, 1, 0, Optional.empty()));
  }

  @Test
  void failed_put_tellsCountsAndTurnsDirty() {
    PoolDriver pool = reading();
    pool.read("n4=10.0.0.4");

    assertThat(pool.after(SECOND).failed(MALFORMED))
        .containsExactly(
            PoolFixtures.badly(1),
            emitFailed(WEB_1, MALFORMED),
            countFailed(MALFORMED, SECOND),
            DIRTY);
  }

  @Test
  void failed_eventText_isTheSpecsSentenceFollowedByOurs() {
    List<PoolEffect> effects =
        reading()
            .failed(
                new ArmFailure(ArmFailure.Kind.RESPONSE, 403, "Forbidden", "No rights.")
                    .with(new RequestIds("c", "r", "mine")));

    assertThat(effects)
        .filteredOn(PoolEffect.Emit.class::isInstance)
        .containsExactly(
            new PoolEffect.Emit(
                new ObjectEvent(
                    new ObjectReference.OfService(WEB_1.service(), "uid-web"),
                    ObjectEvent.Type.WARNING,
                    "LoadBalancerBackendPoolUpdateFailed",
                    "Backend pool update failed (non-retriable): HTTP 403 Forbidden: No rights."
                        + " (x-ms-correlation-request-id c, x-ms-request-id r). Poolkeeper also tries again by itself.")));
  }

  @Test
  void failed_twoServices_eachIsToldOnce() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4");
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    pool.send(desire(WEB_1, "n6=10.0.0.6"));
    pool.send(desire(API_2, "n7=10.0.0.7"));
    pool.toReading();

    assertThat(pool.failed(FORBIDDEN))
        .containsExactly(
            PoolFixtures.unread(1),
            emitFailed(WEB_1, FORBIDDEN),
            emitFailed(API_2, FORBIDDEN),
            countFailed(FORBIDDEN, Duration.ZERO),
            DIRTY);
  }

  @Test
  void failed_notFoundAfterATryThatMayHaveBeenTaken_leavesTheWriteInDoubt() {
    PoolDriver pool = reading();
    pool.read("n4=10.0.0.4");

    assertThat(pool.failed(NOT_FOUND.afterDoubtfulTry()))
        .contains(new PoolEffect.ReturnTurn(1, TurnResult.UNRESOLVED));
  }

  @ParameterizedTest
  @EnumSource
  void failed_notFound_isQuietAndAsksForAListing(Call call) {
    PoolDriver pool = call.underWay();

    assertThat(pool.failed(NOT_FOUND))
        .containsExactly(call.refused(1), new PoolEffect.Report(PoolReport.Sign.LISTING_WANTED));
    assertThat(pool.phase()).isEqualTo(new Phase.Idle());
    assertThat(pool.state().failing()).isEmpty();
  }

  @Test
  void failed_whileNothingIsInFlight_isIgnored() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4");

    assertThat(pool.failed(FORBIDDEN)).isEmpty();
    assertThat(pool.phase()).isEqualTo(new Phase.Idle());
  }

  @Test
  void failed_changeCameMeanwhile_isGatheredForTheSpacing() {
    PoolDriver pool = reading();
    pool.send(desire(WEB_1, "n6=10.0.0.6"));

    pool.failed(FORBIDDEN);

    assertThat(pool.phase()).isEqualTo(new Phase.Gathering(pool.now().plus(MIN_INTERVAL)));
  }

  @Test
  void change_failsTheSameWayAgain_isToldBecauseAChangeWasLost() {
    PoolDriver pool = failed();
    pool.send(desire(WEB_1, "n6=10.0.0.6"));
    pool.toReading();

    assertThat(pool.failed(FORBIDDEN))
        .containsExactly(
            PoolFixtures.unread(2),
            emitFailed(WEB_1, FORBIDDEN),
            PoolFixtures.countFailedAgain(FORBIDDEN, Duration.ZERO));
  }

  @Test
  void desire_equalSetOnAFailedPool_armsItAgain() {
    PoolDriver pool = failed();

    assertThat(pool.send(desire(WEB_1, "n5=10.0.0.5"))).isEmpty();

    assertThat(pool.state().wakeAt()).contains(pool.now().plus(MIN_INTERVAL).minus(SECOND));
    pool.toWriting("n4=10.0.0.4");
    assertThat(pool.effects()).containsExactly(pool.write("-10.0.0.4", "+n5=10.0.0.5"));
  }

  @Test
  void failed_otherStatusSameCode_isAnotherClass() {
    PoolDriver pool = repairing();
    ArmFailure other = failure(401, FORBIDDEN.code());

    assertThat(pool.failed(other)).contains(emitFailed(WEB_1, other));
  }

  @Test
  void release_cancelsWhatAFailedPoolGathers_leavesItFailed() {
    PoolDriver pool = failed();
    pool.send(desire(API_2, "n7=10.0.0.7"));

    pool.send(new PoolEvent.Release(API_2.service()));

    assertThat(pool.phase()).isInstanceOf(Phase.Failed.class);
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    assertThat(pool.state().wakeAt()).contains(pool.now().plus(MIN_INTERVAL).minus(SECOND));
  }

  @Test
  void desire_ofANewServiceThatChangesNothing_armsAFailedPoolAgain() {
    PoolDriver pool = failed();

    pool.send(new PoolEvent.Desire(API_2, unknown()));

    assertThat(pool.state().wakeAt()).contains(pool.now().plus(MIN_INTERVAL).minus(SECOND));
    assertThat(pool.state().queue().operations()).isEmpty();
  }

  @Test
  void desire_ofANewServiceThatMakesAFailedPoolRight_hasItReadAndTurnsItClean() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4", "n5=10.0.0.5");
    pool.send(desire(WEB_1, "n4=10.0.0.4"));
    pool.toReading().failed(FORBIDDEN);

    pool.send(desire(API_2, "n5=10.0.0.5"));
    pool.toReading();

    assertThat(pool.read("n4=10.0.0.4", "n5=10.0.0.5"))
        .containsExactly(PoolFixtures.unchanged(2), CLEAN);
  }
}
