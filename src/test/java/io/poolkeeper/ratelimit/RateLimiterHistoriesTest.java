package io.poolkeeper.ratelimit;

import static io.poolkeeper.ratelimit.RateLimiterDriver.balancer;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PermitResult;
import io.poolkeeper.ratelimit.RateLimiterEffect.Grant;
import io.poolkeeper.ratelimit.RateLimiterEffect.Verify;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Whatever happens at the rate limiter: {@link RateLimiterWorld} watches every grant, and once
 * trouble stops, everybody who still waits is served.
 */
class RateLimiterHistoriesTest {
  private static final int BALANCERS = 4;
  private static final int POOLS = 12;
  private static final List<PriorityLevel> LEVELS = List.of(PriorityLevel.values());

  @Test
  @Tag("full")
  void longRandomHistories_keepTheRulesAndServeEverybody() {
    List<RateLimiterWorld> worlds =
        LongStream.range(0, 2_000).parallel().mapToObj(RateLimiterHistoriesTest::history).toList();

    assertThat(LEVELS)
        .allSatisfy(
            level ->
                assertThat(worlds.stream().mapToInt(world -> world.grants(level)).sum())
                    .isGreaterThan(1_000));
  }

  private static RateLimiterWorld history(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    RateLimiterWorld world = new RateLimiterWorld(RateLimiterFixtures.SHIPPED);
    List<Requester> requesters = requesters();
    try {
      for (int step = 0; step < 300; step++) {
        somethingHappens(world, requesters, random);
        everybodyKnowsWhy(world);
      }
      serveAll(world);
    } catch (AssertionError violation) {
      throw new AssertionError("seed " + seed, violation);
    }
    return world;
  }

  /** Nobody waits for nothing, and who waits for something that time brings is woken in time. */
  private static void everybodyKnowsWhy(RateLimiterWorld world) {
    for (RateLimiterView.Waiting waiting : world.view().waiting(world.now())) {
      // No assertThat: half a million times, its setup would cost more than what it looks at.
      boolean knows =
          waiting.why() != Obstacle.NEXT
              && waiting.until().orElseThrow().isAfter(world.now())
              && world.wakeAt().isPresent();
      if (!knows) {
        throw new AssertionError("waits for nothing: " + waiting);
      }
    }
  }

  private static List<Requester> requesters() {
    List<Requester> requesters = new ArrayList<>();
    for (int i = 0; i < POOLS; i++) {
      requesters.add(new Requester(balancer("lb-" + i % BALANCERS).pool("p" + i), i));
    }
    return requesters;
  }

  private static void somethingHappens(
      RateLimiterWorld world, List<Requester> requesters, SplittableRandom random) {
    int which = random.nextInt(requesters.size());
    Requester requester = requesters.get(which);
    switch (random.nextInt(13)) {
      case 0, 1, 2, 3 -> world.request(requester, LEVELS.get(random.nextInt(LEVELS.size())));
      case 4 -> {
        if (random.nextInt(4) == 0) {
          world.cancel(requester);
        }
      }
      case 5 -> {
        if (random.nextInt(6) == 0) {
          world.die(requester);
          requesters.set(which, new Requester(requester.pool(), requester.incarnation() + 1_000));
        }
      }
      case 6 -> world.sent(random.nextBoolean());
      case 7 -> {
        if (random.nextInt(5) == 0) {
          throttle(world, random);
        }
      }
      case 8 -> world.pass(Duration.ofMillis(random.nextInt(3_000)));
      case 9 -> verifyOne(world, random);
      default -> returnOne(world, random);
    }
  }

  private static void throttle(RateLimiterWorld world, SplittableRandom random) {
    Optional<LoadBalancerId> balancer =
        random.nextBoolean()
            ? Optional.of(balancer("lb-" + random.nextInt(BALANCERS)))
            : Optional.empty();
    world.throttle(
        balancer, random.nextBoolean(), world.now().plusMillis(random.nextInt(-2_000, 10_000)));
  }

  private static void returnOne(RateLimiterWorld world, SplittableRandom random) {
    List<Grant> held = world.held();
    if (!held.isEmpty()) {
      Grant grant = held.get(random.nextInt(held.size()));
      PermitResult[] endings = PermitResult.values();
      PermitResult result =
          random.nextInt(3) > 0 ? PermitResult.SUCCEEDED : endings[random.nextInt(endings.length)];
      world.giveBack(grant, result);
    }
  }

  private static void verifyOne(RateLimiterWorld world, SplittableRandom random) {
    List<Verify> verifications = world.verifications();
    if (!verifications.isEmpty()) {
      VerificationResult[] results = VerificationResult.values();
      world.verified(
          verifications.get(random.nextInt(verifications.size())), results[random.nextInt(3)]);
    }
  }

  private static void serveAll(RateLimiterWorld world) {
    for (int minute = 0; minute < 60 && !world.waiting().isEmpty(); minute++) {
      for (int second = 0; second < 60; second++) {
        world.pass(Duration.ofSeconds(1));
        world.held().forEach(grant -> world.giveBack(grant, PermitResult.SUCCEEDED));
        world
            .verifications()
            .forEach(verification -> world.verified(verification, VerificationResult.SETTLED));
      }
    }
    assertThat(world.waiting()).as("still waiting after an hour without trouble").isEmpty();
    world.held().forEach(grant -> world.giveBack(grant, PermitResult.SUCCEEDED));
    world
        .verifications()
        .forEach(verification -> world.verified(verification, VerificationResult.SETTLED));
    world.pass(Duration.ofHours(1));
    world
        .verifications()
        .forEach(verification -> world.verified(verification, VerificationResult.SETTLED));
    assertThat(world.view().unresolved()).isEmpty();
    assertThat(world.verifications()).isEmpty();
    assertThat(world.view().permitsOut()).isZero();
    assertThat(world.view().waiting(world.now())).isEmpty();
  }
}
