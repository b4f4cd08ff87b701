package io.poolkeeper.turnstile;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.retry.RetryBudget;
import io.poolkeeper.turnstile.LoadBalancerQueue.Turn;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;
import org.pcollections.TreePMap;

/** The order of the questions, and that what stands in the way is gone when it is said to be. */
class AdmissionTest {
  private static final Instant T0 = TurnstileDriver.T0;
  private static final TurnstileLimits LIMITS = TurnstileFixtures.SHIPPED;
  private static final Gates CLOSED = new Gates(T0.plusSeconds(1), T0.plusSeconds(9), 0);
  private static final Gates SLOW = new Gates(T0, Instant.EPOCH, 1);

  @Test
  void obstacle_everythingInTheWay_isNamedInTheOrderOfTheQuestions() {
    TokenBucket noReads = reads(0);
    WriteTokens noWrites = writes(0, 0);
    RetryBudget broke = withdrawn(100);
    RetryBudget rich = withdrawn(0);

    List<Admission> lessAndLess =
        List.of(
            admission(CLOSED, noReads, noWrites, broke, 16),
            admission(CLOSED, noReads, noWrites, broke, 15),
            admission(SLOW, noReads, noWrites, broke, 15),
            admission(Gates.OPEN, noReads, noWrites, broke, 15),
            admission(Gates.OPEN, reads(16), noWrites, broke, 15),
            admission(Gates.OPEN, reads(16), writes(16, 0), broke, 15),
            admission(Gates.OPEN, reads(16), writes(16, 0), rich, 15));

    assertThat(lessAndLess)
        .extracting(admission -> admission.obstacle(Lane.REPAIR))
        .containsExactly(
            Obstacle.IN_FLIGHT,
            Obstacle.SUBSCRIPTION_GATE,
            Obstacle.SLOW_START,
            Obstacle.READ_TOKENS,
            Obstacle.WRITE_TOKENS,
            Obstacle.RETRY_BUDGET,
            Obstacle.NEXT);
  }

  @Test
  void obstacle_early_leavesRoomAndTokensToOthersAndPaysItsOwn() {
    List<Admission> lessAndLess =
        List.of(
            admission(Gates.OPEN, new Quota(writes(26, 9), early(0), reads(9), withdrawn(100)), 8),
            admission(Gates.OPEN, new Quota(writes(25, 9), early(0), reads(9), withdrawn(100)), 7),
            admission(Gates.OPEN, new Quota(writes(26, 9), early(0), reads(9), withdrawn(100)), 7),
            admission(Gates.OPEN, new Quota(writes(26, 9), early(1), reads(9), withdrawn(100)), 7));

    assertThat(lessAndLess)
        .extracting(admission -> admission.obstacle(Lane.EARLY))
        .containsExactly(
            Obstacle.IN_FLIGHT, Obstacle.WRITE_TOKENS, Obstacle.EARLY_TOKENS, Obstacle.NEXT);
  }

  @ParameterizedTest
  @CsvSource({"3,1,false", "4,1,true", "4,2,false", "5,2,true"})
  void reads_turnsAndLooksMayStillRead_eachHasAToken(int tokens, int looking, boolean enough) {
    Admission admission = looking(reads(tokens), looking);

    assertThat(admission.mayRead()).isEqualTo(enough);
    assertThat(admission.mayGo(Lane.UPDATE)).isEqualTo(enough);
    assertThat(admission.mayReadFrom().equals(T0)).isEqualTo(enough);
  }

  private static Admission looking(TokenBucket reads, int looking) {
    Admission two = admission(Gates.OPEN, reads, writes(16, 0), withdrawn(0), 2);
    return new Admission(LIMITS, T0, two.gates(), two.quota(), two.queues(), two.out(), looking);
  }

  @Test
  void mayGoFrom_whateverIsInTheWay_isTheFirstMomentWithoutAnObstacle() {
    SplittableRandom random = new SplittableRandom(1);
    Set<Obstacle> met = EnumSet.noneOf(Obstacle.class);
    for (int i = 0; i < 5_000; i++) {
      Admission admission = anyAdmission(random);
      for (Lane lane : Lane.values()) {
        met.add(admission.obstacle(lane));
        assertFirstMoment(admission, lane, admission.mayGoFrom(lane));
      }
    }
    assertThat(met)
        .containsExactlyInAnyOrder(
            Obstacle.IN_FLIGHT,
            Obstacle.SUBSCRIPTION_GATE,
            Obstacle.SLOW_START,
            Obstacle.READ_TOKENS,
            Obstacle.WRITE_TOKENS,
            Obstacle.EARLY_TOKENS,
            Obstacle.RETRY_BUDGET,
            Obstacle.NEXT);
  }

  private static void assertFirstMoment(Admission admission, Lane lane, Instant from) {
    boolean never = from.equals(Instant.MAX);
    assertThat(never).isEqualTo(admission.obstacle(lane) == Obstacle.IN_FLIGHT);
    assertThat(from.equals(T0)).isEqualTo(admission.mayGo(lane));
    if (from.isAfter(T0) && !never) {
      assertThat(later(admission, from).mayGo(lane)).as("%s at %s", lane, from).isTrue();
      assertThat(later(admission, from.minusNanos(1)).mayGo(lane)).isFalse();
    }
  }

  private static Admission later(Admission before, Instant now) {
    return new Admission(
        LIMITS,
        now,
        before.gates(),
        before.quota().at(now),
        before.queues(),
        before.out(),
        before.looking());
  }

  private static Admission anyAdmission(SplittableRandom random) {
    int turns = random.nextInt(17);
    return admission(
        random.nextBoolean() ? Gates.OPEN : closedOnce(random),
        new Quota(
            writes(turns + random.nextInt(-3, 26), random.nextInt(12)),
            early(random.nextInt(-2, 3)),
            reads(turns + random.nextInt(-3, 6)),
            withdrawn(random.nextInt(30))),
        turns);
  }

  /** Closed or open again, and some have passed since, as far as they could. */
  private static Gates closedOnce(SplittableRandom random) {
    Gates gates = Gates.OPEN.close(false, around(random)).close(true, around(random));
    for (int passed = random.nextInt(16); passed > 0 && gates.passable(T0); passed--) {
      gates = gates.passed(T0);
    }
    return gates;
  }

  private static Instant around(SplittableRandom random) {
    return T0.plusMillis(random.nextInt(-6_000, 3_000));
  }

  private static TokenBucket reads(int tokens) {
    return tokens(LIMITS.reads(), tokens);
  }

  private static TokenBucket early(int tokens) {
    return tokens(LIMITS.early().tokens(), tokens);
  }

  private static WriteTokens writes(int common, int reserve) {
    return new WriteTokens(
        tokens(LIMITS.writes(), common), tokens(LIMITS.reserve(), reserve), Instant.EPOCH);
  }

  private static TokenBucket tokens(TokenBucket.Rate rate, int tokens) {
    return TokenBucket.holding(rate, 0, T0).minus(-tokens);
  }

  /** A budget from which so many retries were taken, the last ones now, as far as it let them. */
  private static RetryBudget withdrawn(int retries) {
    Instant begin = T0.minus(Duration.ofMillis(10L * retries));
    RetryBudget budget = RetryBudget.of(LIMITS.budget(), begin);
    for (int i = 1; i <= retries; i++) {
      Instant at = begin.plus(Duration.ofMillis(10L * i));
      budget = budget.canWithdraw(at) ? budget.withdraw(at) : budget;
    }
    return budget;
  }

  /** So many turns are out, every third for a drain. */
  private static Admission admission(
      Gates gates, TokenBucket reads, WriteTokens writes, RetryBudget budget, int turns) {
    return admission(gates, new Quota(writes, early(1), reads, budget), turns);
  }

  private static Admission admission(Gates gates, Quota quota, int turns) {
    HashPMap<LoadBalancerId, LoadBalancerQueue> lines = HashTreePMap.empty();
    TreePMap<Long, LoadBalancerId> out = TreePMap.empty();
    for (long turn = 1; turn <= turns; turn++) {
      LoadBalancerId id = TurnstileDriver.balancer("lb-" + turn);
      Lane lane = turn % 3 == 0 ? Lane.DRAIN : Lane.UPDATE;
      Turn held = new Turn(turn, new Requester(id.pool("pool"), turn), lane, T0);
      lines = lines.plus(id, LoadBalancerQueue.of(id).granted(held, 1, passedOver -> false));
      out = out.plus(turn, id);
    }
    return new Admission(LIMITS, T0, gates, quota, lines, out, 0);
  }
}
