package io.poolkeeper.ratelimit;

import static io.poolkeeper.ratelimit.RateLimiterDriver.many;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.PermitResult;
import io.poolkeeper.ratelimit.RateLimiterView.Waiting;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The order of the questions, and that what stands in the way is gone when it is said to be. */
class PermitAdmissionTest extends RateLimiterCase {
  private static final List<PriorityLevel> LEVELS = List.of(PriorityLevel.values());

  /** What ends by time alone, without an event. */
  private static final Set<Obstacle> TIMED =
      EnumSet.of(
          Obstacle.SUBSCRIPTION_GATE,
          Obstacle.SLOW_START,
          Obstacle.READ_TOKENS,
          Obstacle.WRITE_TOKENS,
          Obstacle.EARLY_TOKENS,
          Obstacle.RETRY_BUDGET);

  PermitAdmissionTest() {
    super(RateLimiterDriver.shipped());
  }

  @Test
  void obstacle_everythingInTheWay_isNamedInTheOrderOfTheQuestions() {
    rateLimiter.wants(RETRY, many(0, 5)).wants(UPDATE, many(5, 16)).close("reads", 2);
    rateLimiter.sent(true, 38).wants(DRAIN, A).wants(REPAIR, C);
    rateLimiter.waiting("a IN_FLIGHT 60, c IN_FLIGHT 60");

    rateLimiter
        .back(many(15, 16)[0], FAILED)
        .waiting("a SUBSCRIPTION_GATE 2, c SUBSCRIPTION_GATE 2");
    List.of(many(4, 15)).forEach(one -> rateLimiter.back(one, FAILED));
    rateLimiter.fire().sent(false, 241).waiting("c SLOW_START 3");
    rateLimiter.seconds(1).waiting("c READ_TOKENS 5.133333334");
    rateLimiter.seconds(3).sent(true, 18).waiting("c WRITE_TOKENS 8");
    rateLimiter.seconds(2).budget(0).waiting("c RETRY_BUDGET 10").seconds(2).budget(5);
    rateLimiter.timer().waiting("");
  }

  @Test
  void obstacle_early_leavesRoomAndTokensToOthersAndPaysItsOwn() {
    for (int permit = 0; permit < 50; permit++) {
      rateLimiter.wants(EARLY, E).back(E);
    }
    rateLimiter.wants(UPDATE, many(0, 8)).sent(true, 25).wants(EARLY, A).waiting("a IN_FLIGHT 60");

    rateLimiter.back(many(7, 8)).waiting("a WRITE_TOKENS 0.833333334");
    rateLimiter.seconds(1).waiting("a EARLY_TOKENS 2");
  }

  /** One is taken for each of two permits, and one for a verification. */
  @ParameterizedTest
  @CsvSource({"3,''", "4,1 listing"})
  void reads_permitsAndLooksMayStillRead_eachHasAToken(int tokens, String listed) {
    RateLimiterDriver poor = RateLimiterDriver.withReads(100);
    poor.wants(UPDATE, A).back(A, PermitResult.UNRESOLVED).fire().wants(UPDATE, C, E);
    poor.sent(false, 100 - tokens).came("0 a, 1 look-a c e");

    poor.requestListing().came(listed);
  }

  @Test
  void anyHistory_isGrantedAsSoonAsMayBe_andObstaclesEndWhenTheyAreSaidTo() {
    Set<Obstacle> met = EnumSet.noneOf(Obstacle.class);
    for (long seed = 0; seed < 100; seed++) {
      RateLimiterDriver poor = scarce(new SplittableRandom(seed));
      for (int step = 0; step < 20 && poor.wakeAt().isPresent(); step++) {
        endInTime(poor, met);
        poor.fire();
      }
    }
    assertThat(met).containsAll(TIMED);
  }

  /** Many want a permit, and this or that is short. */
  private static RateLimiterDriver scarce(SplittableRandom random) {
    RateLimiterDriver poor = RateLimiterDriver.shipped();
    for (int permit = random.nextInt(40, 51); permit > 0; permit--) {
      poor.wants(EARLY, E).back(E, FAILED);
    }
    poor.wants(RETRY, many(100, 100 + random.nextInt(7)));
    poor.sent(true, random.nextInt(60)).sent(false, random.nextInt(220));
    if (random.nextBoolean()) {
      poor.close(random.nextBoolean() ? "reads" : "writes", random.nextInt(9));
    }
    for (Requester requester : many(0, random.nextInt(15))) {
      poor.wants(LEVELS.get(random.nextInt(LEVELS.size())), requester);
    }
    return poor;
  }

  private static void endInTime(RateLimiterDriver poor, Set<Obstacle> met) {
    for (Waiting one : poor.view().waiting(poor.now())) {
      met.add(one.why());
      if (TIMED.contains(one.why())) {
        Instant until = one.until().orElseThrow();
        assertThat(why(poor, one, until.minusNanos(1))).isEqualTo(one.why());
        assertThat(why(poor, one, until)).isNotEqualTo(one.why());
      }
    }
  }

  private static Obstacle why(RateLimiterDriver poor, Waiting one, Instant at) {
    return poor.view().waiting(at).stream()
        .filter(other -> other.pool().equals(one.pool()))
        .findFirst()
        .orElseThrow()
        .why();
  }
}
