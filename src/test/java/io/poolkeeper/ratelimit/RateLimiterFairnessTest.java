package io.poolkeeper.ratelimit;

import static io.poolkeeper.ratelimit.RateLimiterDriver.LB1;
import static io.poolkeeper.ratelimit.RateLimiterDriver.LB2;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.ratelimit.RateLimiterEffect.Grant;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Nobody waits for ever. The head of a priority level is passed over by at most k = {@value
 * RateLimiterLimits#MOST_PASSED_OVER} + 3 permits of other load balancers in a row, and who is
 * first of its priority level at a load balancer by at most k permits of that load balancer. Then
 * it is its permit: the priority level with the most passes goes first, and at most three others
 * can have as many, each of which starts again at none. So who has n before it at its priority
 * level is served after (n + 1) k permits at most.
 */
class RateLimiterFairnessTest {
  private static final List<PriorityLevel> LEVELS = List.of(PriorityLevel.values());

  private static FairnessBooks inFlight(int permits) {
    RateLimiterLimits wide = RateLimiterFixtures.WIDE;
    return new FairnessBooks(
        new RateLimiterLimits(
            wide.writes(),
            wide.initialWrites(),
            wide.reserve(),
            wide.initialReserve(),
            wide.reads(),
            wide.early(),
            permits,
            Duration.ofMinutes(10),
            wide.settleLimit(),
            wide.pauses(),
            wide.budget(),
            true));
  }

  private static Requester requester(LoadBalancerId id, int number) {
    return new Requester(id.pool("p" + number), number);
  }

  @ParameterizedTest
  @EnumSource(names = {"DRAIN_RETRY", "RETRY", "REPAIR"})
  void oneLoadBalancer_updatesWithoutEnd_lesserLevelGoesAfterK(PriorityLevel level) {
    FairnessBooks books = inFlight(1);
    books.request(requester(LB1, 0), PriorityLevel.UPDATE);
    books.request(requester(LB1, 1), level);
    for (int number = 2; books.waits(requester(LB1, 1)); number++) {
      books.request(requester(LB1, number), PriorityLevel.UPDATE);
      books.giveBack(LB1);
      assertThat(number).isLessThanOrEqualTo(FairnessBooks.MOST + 2);
    }
    assertThat(books.mostLinePasses()).isEqualTo(RateLimiterLimits.MOST_PASSED_OVER);
  }

  @Test
  void otherLoadBalancers_updatesWithoutEnd_repairGoesAfterK() {
    FairnessBooks books = inFlight(1);
    books.request(requester(LB2, 0), PriorityLevel.UPDATE);
    books.request(requester(LB1, 1), PriorityLevel.REPAIR);
    for (int number = 2; books.waits(requester(LB1, 1)); number++) {
      books.request(requester(LB2, number), PriorityLevel.UPDATE);
      books.giveBack(LB2);
      assertThat(number).isLessThanOrEqualTo(FairnessBooks.MOST + 2);
    }
    assertThat(books.mostHeadPasses()).isEqualTo(RateLimiterLimits.MOST_PASSED_OVER);
  }

  @ParameterizedTest
  @EnumSource(names = {"RETRY", "REPAIR"})
  void levelIsServedElsewhereWheneverItIsLate_waiterOfABusyLoadBalancerStillGoes(
      PriorityLevel level) {
    // Given a load balancer that is given back only just after its lesser priority level went
    // elsewhere
    FairnessBooks books = inFlight(2);
    Requester victim = requester(LB1, 0);
    int number = 2;
    books.request(requester(LB1, 1), PriorityLevel.UPDATE);
    books.request(victim, level);
    books.request(requester(LB2, number++), PriorityLevel.UPDATE);

    // When updates of it never end
    int given = 0;
    for (; books.waits(victim) && given < 100; given++) {
      books.request(requester(LB1, number++), PriorityLevel.UPDATE);
      books.request(requester(LB2, number++), level);
      do {
        books.request(requester(LB2, number++), PriorityLevel.UPDATE);
        books.giveBack(LB2);
      } while (books.last().getFirst().level() == PriorityLevel.UPDATE);
      books.giveBack(LB1);
    }

    // Then it goes all the same
    assertThat(given).isLessThanOrEqualTo(FairnessBooks.MOST + 1);
    assertThat(books.waits(victim)).isFalse();
  }

  @Test
  void allLevelsAtOnce_withoutEnd_everyLevelIsServedWithinK() {
    FairnessBooks books = inFlight(1);
    int number = 0;
    books.request(requester(LB1, number++), PriorityLevel.UPDATE);
    for (int round = 0; round < 100; round++) {
      for (LoadBalancerId id : List.of(LB1, LB2)) {
        for (PriorityLevel level :
            List.of(
                PriorityLevel.UPDATE,
                PriorityLevel.DRAIN_RETRY,
                PriorityLevel.RETRY,
                PriorityLevel.REPAIR)) {
          books.request(requester(id, number++), level);
        }
      }
      books.giveBack(books.held().getFirst().requester().loadBalancer());
    }

    assertThat(books.served())
        .containsExactlyInAnyOrder(
            PriorityLevel.UPDATE,
            PriorityLevel.DRAIN_RETRY,
            PriorityLevel.RETRY,
            PriorityLevel.REPAIR);
    assertThat(books.mostHeadPasses()).isLessThanOrEqualTo(FairnessBooks.MOST);
    assertThat(books.mostLinePasses())
        .isBetween(RateLimiterLimits.MOST_PASSED_OVER, FairnessBooks.MOST);
  }

  @Test
  void drains_whoeverIsLate_goFirst() {
    FairnessBooks books = inFlight(1);
    int number = 0;
    books.request(requester(LB1, number++), PriorityLevel.UPDATE);
    books.request(requester(LB1, number++), PriorityLevel.REPAIR);
    for (int round = 0; round < 100; round++) {
      books.request(requester(LB1, number++), PriorityLevel.UPDATE);
      books.request(requester(LB2, number++), PriorityLevel.DRAIN);
      books.giveBack(LB1);
      assertThat(books.last()).extracting(Grant::level).containsExactly(PriorityLevel.DRAIN);
      books.giveBack(LB2);
    }
    assertThat(books.served()).contains(PriorityLevel.REPAIR);
  }

  @Test
  void randomHistories_nobodyIsPassedOverMoreThanK() {
    int mostHead = 0;
    int mostLine = 0;
    for (long seed = 0; seed < 100; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      FairnessBooks books = inFlight(random.nextInt(1, 4));
      int lines = random.nextInt(1, 6);
      int favourite = random.nextInt(1, 8);
      for (int step = 0; step < 300; step++) {
        if (random.nextInt(5) < 3 || books.held().isEmpty()) {
          LoadBalancerId id = RateLimiterDriver.balancer("lb-" + random.nextInt(lines));
          boolean fresh = random.nextInt(8) < favourite;
          PriorityLevel level =
              fresh ? PriorityLevel.UPDATE : LEVELS.get(random.nextInt(LEVELS.size()));
          books.request(requester(id, step), level);
        } else {
          List<Grant> held = books.held();
          books.giveBack(held.get(random.nextInt(held.size())).requester().loadBalancer());
        }
      }
      assertThat(books.mostHeadPasses())
          .as("seed %d", seed)
          .isLessThanOrEqualTo(FairnessBooks.MOST);
      assertThat(books.mostLinePasses())
          .as("seed %d", seed)
          .isLessThanOrEqualTo(FairnessBooks.MOST);
      mostHead = Math.max(mostHead, books.mostHeadPasses());
      mostLine = Math.max(mostLine, books.mostLinePasses());
    }
    assertThat(mostHead).isGreaterThanOrEqualTo(RateLimiterLimits.MOST_PASSED_OVER);
    assertThat(mostLine).isGreaterThanOrEqualTo(RateLimiterLimits.MOST_PASSED_OVER);
  }
}
