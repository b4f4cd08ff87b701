package io.poolkeeper.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PermitResult;
import io.poolkeeper.ratelimit.RateLimiterEffect.Grant;
import io.poolkeeper.ratelimit.TokenBucket.Rate;
import io.poolkeeper.retry.RetryBudget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Every short history of two load balancers with two pools each, in which tokens, permits and the
 * budget are as scarce as can be: {@link RateLimiterWorld} watches every grant, and afterwards
 * everybody who waits is served. Histories that differ by the names of pools alone are tried once;
 * those that lead to the same world by different ways go on alike, which is tried once, too.
 */
class RateLimiterSmallHistoriesTest {
  private static final int STEPS = 5;

  private static final RateLimiterLimits SCARCE =
      new RateLimiterLimits(
          new Rate(2, 1_000),
          1,
          new Rate(1, 1_000),
          1,
          new Rate(4, 4_000),
          new RateLimiterLimits.Early(new Rate(1, 500), 1, 200),
          2,
          Duration.ofSeconds(20),
          Duration.ofSeconds(30),
          new RateLimiterLimits.Pauses(Duration.ofSeconds(2), Duration.ofSeconds(30)),
          new RetryBudget.Limits(1, Duration.ofSeconds(10), 100, 100),
          false);

  /**
   * Pools are numbered as they first appear: 0 and 1 are of one load balancer, 2 and 3 of another.
   */
  private record Step(String name, int pool, Consumer<RateLimiterWorld> action) {}

  private static final List<Requester> VISITORS =
      List.of(RateLimiterDriver.A, RateLimiterDriver.B, RateLimiterDriver.C, RateLimiterDriver.D);

  private final List<Step> steps = steps();
  private final List<String> path = new ArrayList<>();
  private final Map<List<Object>, Tried> tried = new HashMap<>();

  /** How many histories go on from a world, and how many permits there were in all of them. */
  private record Tried(long histories, long grants) {
    static final Tried NONE = new Tried(0, 0);

    Tried plus(Tried other) {
      return new Tried(histories + other.histories, grants + other.grants);
    }
  }

  private static List<Step> steps() {
    List<Step> steps = new ArrayList<>();
    for (int pool = 0; pool < VISITORS.size(); pool++) {
      Requester requester = VISITORS.get(pool);
      for (PriorityLevel level : List.of(PriorityLevel.UPDATE, PriorityLevel.RETRY)) {
        steps.add(new Step(level + " " + pool, pool, world -> world.request(requester, level)));
      }
      steps.add(new Step("cancel " + pool, pool, world -> world.cancel(requester)));
      steps.add(new Step("die " + pool, pool, world -> world.die(requester)));
      for (PermitResult result : List.of(PermitResult.SUCCEEDED, PermitResult.UNRESOLVED)) {
        steps.add(new Step(result + " " + pool, pool, world -> giveBack(world, requester, result)));
      }
    }
    for (VerificationResult result :
        List.of(VerificationResult.SETTLED, VerificationResult.UPDATING)) {
      steps.add(
          new Step(
              "look " + result,
              0,
              world ->
                  world
                      .verifications()
                      .forEach(verification -> world.verified(verification, result))));
    }
    steps.add(new Step("one second", 0, world -> world.pass(Duration.ofSeconds(1))));
    steps.add(new Step("half a minute", 0, world -> world.pass(Duration.ofSeconds(30))));
    steps.add(new Step("throttle", 0, world -> throttle(world, Optional.empty())));
    steps.add(
        new Step("throttle one", 0, world -> throttle(world, Optional.of(RateLimiterDriver.LB1))));
    return steps;
  }

  private static void throttle(RateLimiterWorld world, Optional<LoadBalancerId> balancer) {
    world.sent(true);
    world.throttle(balancer, true, world.now().plusSeconds(5));
  }

  private static void giveBack(RateLimiterWorld world, Requester requester, PermitResult result) {
    world.held().stream()
        .filter(grant -> grant.requester().equals(requester))
        .forEach(grant -> world.giveBack(grant, result));
  }

  @Test
  void everyShortHistory_keepsTheRulesAndServesEverybody() {
    RateLimiterWorld world = new RateLimiterWorld(SCARCE);
    VISITORS.forEach(world::register);

    Tried all = explore(world, 0, -1);

    assertThat(all.histories()).isEqualTo(152_044);
    assertThat(all.grants()).isGreaterThan(all.histories());
  }

  private Tried explore(RateLimiterWorld world, int depth, int known) {
    if (depth == STEPS) {
      return new Tried(1, serveAll(world));
    }
    Tried all = Tried.NONE;
    for (Step step : steps) {
      if (step.pool() > known + 1 && !(step.pool() == 2 && known == 0)) {
        continue;
      }
      RateLimiterWorld next = world.copy();
      path.add(step.name());
      try {
        step.action().accept(next);
        if (!next.sameAs(world)) {
          all = all.plus(exploreOnce(next, depth + 1, Math.max(known, step.pool())));
        }
      } catch (AssertionError violation) {
        throw violation.getMessage() != null && violation.getMessage().startsWith("[")
            ? violation
            : new AssertionError(path.toString(), violation);
      }
      path.removeLast();
    }
    return all;
  }

  private Tried exploreOnce(RateLimiterWorld world, int depth, int known) {
    List<Object> key = List.of(depth, known, world.essence());
    Tried before = tried.get(key);
    if (before != null) {
      return before;
    }
    Tried now = explore(world, depth, known);
    tried.put(key, now);
    return now;
  }

  /** Returns how many permits there have been since the beginning. */
  private static long serveAll(RateLimiterWorld world) {
    for (int round = 0;
        round < 12 && !(world.waiting().isEmpty() && world.held().isEmpty());
        round++) {
      for (Grant grant : world.held()) {
        world.giveBack(grant, PermitResult.SUCCEEDED);
      }
      world
          .verifications()
          .forEach(verification -> world.verified(verification, VerificationResult.SETTLED));
      world.pass(Duration.ofSeconds(12));
    }
    assertThat(world.waiting()).as("still waiting").isEmpty();
    assertThat(world.view().waiting(world.now())).isEmpty();
    assertThat(world.view().permitsOut()).isZero();
    return Arrays.stream(PriorityLevel.values()).mapToLong(world::grants).sum();
  }
}
