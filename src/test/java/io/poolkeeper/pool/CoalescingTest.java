package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.LIMITS;
import static io.poolkeeper.pool.PoolFixtures.RULES;
import static io.poolkeeper.pool.PoolFixtures.WEB_1;
import static io.poolkeeper.pool.PoolFixtures.exactly;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.ratelimit.PriorityLevel;
import io.poolkeeper.ratelimit.RateLimiterDriver;
import io.poolkeeper.ratelimit.RateLimiterEffect.Grant;
import io.poolkeeper.ratelimit.RateLimiterFixtures;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * The pools and the rate limiter together are a work queue as client-go understands it (spec 3,
 * CoalescingQueue): fair, as keys are served in the order in which they were added, and stingy, as
 * no key is served twice at once and one that is added while it is served is served once more.
 */
class CoalescingTest {
  private static final LoadBalancerId LB1 = new LoadBalancerId("sub", "rg", "lb-1");
  private static final LoadBalancerId LB2 = new LoadBalancerId("sub", "rg", "lb-2");
  private static final PoolId A = LB1.pool("a");

  private final RateLimiterDriver rateLimiter = new RateLimiterDriver(RateLimiterFixtures.WIDE);
  private final Map<PoolId, PoolDriver> pools = new LinkedHashMap<>();
  private final Map<PoolId, PoolView> arm = new HashMap<>();
  private final Map<PoolId, PoolEvent> underWay = new LinkedHashMap<>();
  private final Deque<Runnable> inbox = new ArrayDeque<>();
  private final List<PoolId> attempts = new ArrayList<>();
  private final List<PriorityLevel> priorityLevels = new ArrayList<>();
  private int writes;

  /** A change of the pool's level, a different one for each number. */
  private void change(PoolId pool, int number) {
    send(
        pool,
        PoolFixtures.desire(
            WEB_1, exactly("n=10.0.%d.%d".formatted(number / 250, number % 250 + 1))));
  }

  private PoolState state(PoolId pool) {
    return driver(pool).state();
  }

  private PoolDriver driver(PoolId pool) {
    return pools.computeIfAbsent(pool, id -> new PoolDriver(LIMITS)).at(rateLimiter.now());
  }

  private void send(PoolId pool, PoolEvent event) {
    inbox.addLast(() -> decide(pool, event));
    while (!inbox.isEmpty()) {
      inbox.removeFirst().run();
    }
  }

  private void decide(PoolId pool, PoolEvent event) {
    driver(pool).send(event).effects().forEach(effect -> run(pool, effect));
  }

  private void run(PoolId pool, PoolEffect effect) {
    if (effect instanceof PoolEffect.RequestPermit request) {
      priorityLevels.add(request.priority().level());
      granted(rateLimiter.request(pool, request.priority().level()));
    } else if (effect instanceof PoolEffect.ReturnPermit back) {
      granted(rateLimiter.giveBack(pool, back.permit(), back.result()));
    } else if (effect instanceof PoolEffect.Read) {
      assertThat(underWay.keySet()).noneMatch(other -> sameLoadBalancer(other, pool));
      attempts.add(pool);
      underWay.put(pool, PoolFixtures.read(seen(pool)));
    } else if (effect instanceof PoolEffect.Write write) {
      assertThat(underWay.keySet()).noneMatch(other -> sameLoadBalancer(other, pool));
      writes++;
      arm.put(pool, seen(pool).with(write.edit()));
      underWay.put(pool, new PoolEvent.WriteDone());
    }
  }

  private static boolean sameLoadBalancer(PoolId one, PoolId other) {
    return one.loadBalancer().equals(other.loadBalancer());
  }

  private PoolView seen(PoolId pool) {
    return arm.getOrDefault(pool, new PoolView(pool, "etag", false, List.of(), RULES, true));
  }

  private void granted(RateLimiterDriver after) {
    for (Grant grant : after.grants()) {
      inbox.addLast(
          () -> decide(grant.requester().pool(), PoolFixtures.granted(grant.answer().permit())));
    }
  }

  private void finish(PoolId pool) {
    send(pool, Optional.ofNullable(underWay.remove(pool)).orElseThrow());
  }

  /** Time passes, and the timers of all pools fire in time. */
  private void pass(Duration time) {
    rateLimiter.after(time);
    for (PoolId pool : List.copyOf(pools.keySet())) {
      if (state(pool).wakeAt().filter(at -> !at.isAfter(rateLimiter.now())).isPresent()) {
        send(pool, new PoolEvent.TimerDue());
      }
    }
  }

  private void settle() {
    for (int step = 0; step < 10_000; step++) {
      if (!underWay.isEmpty()) {
        finish(underWay.keySet().iterator().next());
      } else if (pools.values().stream().anyMatch(pool -> pool.state().wakeAt().isPresent())) {
        pass(Duration.ofSeconds(1));
      } else {
        return;
      }
    }
    throw new AssertionError("no rest");
  }

  @Test
  void fiftyChangesWhileAKeyIsWritten_causeExactlyOneMoreAttemptWithTheLastOfThem() {
    change(A, 0);
    pass(LIMITS.window());
    finish(A);
    driver(A).is("Writing");

    for (int number = 1; number <= 50; number++) {
      change(A, number);
    }

    assertThat(attempts).hasSize(1);
    settle();
    assertThat(attempts).hasSize(2);
    assertThat(writes).isEqualTo(2);
    assertThat(seen(A).addresses()).extracting(Object::toString).containsExactly("10.0.0.51");
  }

  @Test
  void fiftyChangesWhileAKeyIsRead_areAllInTheSameAttemptAndOneMoreOnlyLooks() {
    change(A, 0);
    pass(LIMITS.window());

    for (int number = 1; number <= 50; number++) {
      change(A, number);
    }

    settle();
    assertThat(attempts).hasSize(2);
    assertThat(writes).isEqualTo(1);
    assertThat(seen(A).addresses()).extracting(Object::toString).containsExactly("10.0.0.51");
  }

  @Test
  void fiftyChangesWhileAKeyWaits_areOneAttempt() {
    PoolId other = LB1.pool("b");
    change(other, 0);
    pass(LIMITS.window());
    change(A, 0);
    pass(LIMITS.window());
    driver(A).is("Waiting", 0);

    for (int number = 1; number <= 50; number++) {
      change(A, number);
    }

    assertThat(priorityLevels).hasSize(2);
    settle();
    assertThat(attempts).containsExactly(other, A);
    assertThat(writes).isEqualTo(2);
  }

  @Test
  void keysThatWait_areServedInTheOrderOfTheirFirstRequestsWhateverIsAdded() {
    for (long seed = 0; seed < 20; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      List<PoolId> order = new ArrayList<>();
      for (int number = 0; number < 20; number++) {
        order.add(LB1.pool("s%d-p%d".formatted(seed, number)));
      }
      Collections.shuffle(order, random);
      attempts.clear();
      for (PoolId pool : order) {
        change(pool, 0);
        pass(LIMITS.window());
        change(order.get(random.nextInt(order.indexOf(pool) + 1)), 1 + random.nextInt(200));
      }

      settle();

      assertThat(attempts.stream().distinct()).containsExactlyElementsOf(order);
      assertThat(attempts).hasSizeLessThanOrEqualTo(order.size() + 1);
    }
  }

  @Test
  void anyChangesAtAnyTime_neverTwoAttemptsForAKeyOrALoadBalancerAndTheLastLevelWins() {
    for (long seed = 0; seed < 200; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Map<PoolId, Integer> last = new HashMap<>();
      for (int step = 0; step < 200; step++) {
        LoadBalancerId id = random.nextBoolean() ? LB1 : LB2;
        PoolId pool = id.pool("p" + random.nextInt(4));
        switch (random.nextInt(4)) {
          case 0, 1 -> {
            int number = random.nextInt(1_000);
            last.put(pool, number);
            change(pool, number);
          }
          case 2 -> pass(Duration.ofMillis(random.nextInt(2_000)));
          default -> List.copyOf(underWay.keySet()).stream().findAny().ifPresent(this::finish);
        }
      }

      settle();

      last.forEach(
          (pool, number) ->
              assertThat(seen(pool).addresses())
                  .extracting(Object::toString)
                  .containsExactly("10.0.%d.%d".formatted(number / 250, number % 250 + 1)));
    }
  }
}
