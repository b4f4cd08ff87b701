package io.poolkeeper.ratelimit;

import static io.poolkeeper.ratelimit.RateLimiterDriver.A;
import static io.poolkeeper.ratelimit.RateLimiterDriver.B;
import static io.poolkeeper.ratelimit.RateLimiterDriver.C;
import static io.poolkeeper.ratelimit.RateLimiterDriver.E;
import static io.poolkeeper.ratelimit.RateLimiterDriver.LB1;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.PermitResult;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The order of drains at one load balancer (architecture, The rate limiter): the largest share
 * first, the oldest among equals, and nobody is passed over more than four times by those who came
 * later.
 */
class RateLimiterDrainOrderTest {
  private static final int MOST = 4;
  private static final List<Share> SHARES =
      List.of(Share.NONE, new Share(1, 3), new Share(1, 2), new Share(1, 1));

  private final RateLimiterDriver rateLimiter = RateLimiterDriver.wide();

  private static Requester pool(int number) {
    return new Requester(LB1.pool("p" + number), 100 + number);
  }

  /** One who waits, and how many who came later have gone before it. */
  private record Waiter(Requester requester, Share share, int place, int passes) {
    static final Comparator<Waiter> BY_SHARE =
        Comparator.comparing(Waiter::share).thenComparing(Waiter::place, Comparator.reverseOrder());
  }

  /** The rule as it reads, with a count for each; throws if a permit breaks it. */
  private static final class Books {
    private final RateLimiterDriver rateLimiter =
        RateLimiterDriver.wide().request(A, PriorityLevel.UPDATE);
    private final Map<Requester, Waiter> waiting = new LinkedHashMap<>();
    private Requester holder = A;
    private int places;
    private int mostPasses;

    void request(Requester requester, Share share) {
      Waiter before = waiting.get(requester);
      int place = before == null ? places++ : before.place();
      int passes = before == null ? 0 : before.passes();
      waiting.put(requester, new Waiter(requester, share, place, passes));
      rateLimiter.request(requester, new Priority(PriorityLevel.DRAIN, share));
    }

    void cancel(Requester requester) {
      waiting.remove(requester);
      rateLimiter.cancel(requester);
    }

    void permitEnds() {
      Optional<Waiter> late =
          waiting.values().stream()
              .filter(waiter -> waiter.passes() == MOST)
              .min(Comparator.comparingInt(Waiter::place));
      Waiter expected =
          late.orElseGet(() -> waiting.values().stream().max(Waiter.BY_SHARE).orElseThrow());
      long permit = rateLimiter.view().permits().getFirst().permit();
      holder = rateLimiter.giveBack(holder, permit, PermitResult.SUCCEEDED).granted().getFirst();
      if (!holder.equals(expected.requester())) {
        throw new AssertionError(holder + " went instead of " + expected + " among " + waiting);
      }
      waiting.remove(holder);
      waiting.replaceAll(
          (any, waiter) ->
              waiter.place() > expected.place()
                  ? waiter
                  : new Waiter(
                      waiter.requester(), waiter.share(), waiter.place(), waiter.passes() + 1));
      waiting.values().forEach(waiter -> mostPasses = Math.max(mostPasses, waiter.passes()));
    }

    Collection<Waiter> waiting() {
      return waiting.values();
    }

    int mostPasses() {
      return mostPasses;
    }
  }

  private void request(PriorityLevel level, int number, String share) {
    String[] parts = share.split("/", -1);
    Share of = new Share(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
    rateLimiter.request(pool(number), new Priority(level, of));
  }

  /** While A has its permit, pools 1, 2 ... ask for one, to set such shares Down. */
  private void request(PriorityLevel level, String... shares) {
    rateLimiter.request(A, PriorityLevel.UPDATE);
    for (int number = 1; number <= shares.length; number++) {
      request(level, number, shares[number - 1]);
    }
  }

  /** Who has the permit, one after the other, until nobody waits; none of them comes again. */
  private String order() {
    List<String> order = new ArrayList<>();
    rateLimiter.back(A);
    while (!rateLimiter.granted().isEmpty()) {
      Requester holder = rateLimiter.granted().getFirst();
      order.add(holder.pool().name().substring(1));
      rateLimiter.back(holder);
    }
    return String.join(" ", order);
  }

  /** By share, of equal ones the oldest; one that four later ones passed goes next. */
  @ParameterizedTest
  @CsvSource({
    "DRAIN,       1/10 1/2 2/2 3/7,                  3 2 4 1",
    "DRAIN_RETRY, 1/10 1/2 2/2 3/7,                  3 2 4 1",
    "DRAIN,       2/4 1/2 3/6,                       1 2 3",
    "DRAIN,       0/1 1/1000,                        2 1",
    "DRAIN,       0/1 1/1 1/1 1/1 1/1 1/1 1/1 1/1,   2 3 4 5 1 6 7 8",
    "DRAIN_RETRY, 0/1 1/1 1/1 1/1 1/1 1/1 1/1 1/1,   2 3 4 5 1 6 7 8",
    "DRAIN,       1/2 1/2 1/2 1/2 1/2 1/2 1/10 1/3,  1 2 3 4 5 6 8 7"
  })
  void drains_ofOneLoadBalancer_goInThisOrder(PriorityLevel level, String shares, String order) {
    request(level, shares.split(" ", -1));

    assertThat(order()).isEqualTo(order);
  }

  @Test
  void share_saidAnew_countsAndKeepsTheTicket() {
    request(PriorityLevel.DRAIN, "1/10", "1/2", "1/2", "1/2");

    request(PriorityLevel.DRAIN, 1, "1/2");
    request(PriorityLevel.DRAIN, 2, "1/3");
    request(PriorityLevel.DRAIN, 3, "2/4");

    assertThat(order()).isEqualTo("1 3 4 2");
  }

  @Test
  void loadBalancers_goByTheirOldestDrain_whateverTheShares() {
    RateLimiterDriver one = RateLimiterDriver.with(100, 100, 1).request(E, PriorityLevel.UPDATE);
    one.request(A, new Priority(PriorityLevel.DRAIN, new Share(1, 10)));
    one.request(C, new Priority(PriorityLevel.DRAIN, new Share(1, 1)));
    one.request(B, new Priority(PriorityLevel.DRAIN, new Share(1, 2)));

    one.back(E).came("0 e b");
  }

  /** Seven pools with every combination of four shares; the last three come one per permit. */
  @Test
  void everyOrderOfShares_followsTheRule() {
    int pools = 7;
    int most = 0;
    for (int code = 0; code < Math.pow(SHARES.size(), pools); code++) {
      Books books = new Books();
      int rest = code;
      for (int number = 0; number < pools; number++) {
        books.request(pool(number), SHARES.get(rest % SHARES.size()));
        rest /= SHARES.size();
        if (number >= 3) {
          books.permitEnds();
        }
      }
      while (!books.waiting().isEmpty()) {
        books.permitEnds();
      }
      most = Math.max(most, books.mostPasses());
    }
    assertThat(most).isEqualTo(MOST);
  }

  /** Drains without end, shares that change, pools that want no permit any more. */
  @Test
  void randomHistories_followTheRule_andNobodyIsPassedOverMoreThanFourTimes() {
    for (long seed = 0; seed < 300; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Books books = new Books();
      int next = 0;
      for (int step = 0; step < 400; step++) {
        List<Waiter> waiting = List.copyOf(books.waiting());
        int kind = random.nextInt(10);
        if (waiting.isEmpty() || kind < 4) {
          books.request(pool(next++), share(random));
        } else if (kind < 5) {
          books.request(waiting.get(random.nextInt(waiting.size())).requester(), share(random));
        } else if (kind < 6) {
          books.cancel(waiting.get(random.nextInt(waiting.size())).requester());
        } else {
          books.permitEnds();
        }
      }
      assertThat(books.mostPasses()).as("seed %d", seed).isLessThanOrEqualTo(MOST);
    }
  }

  private static Share share(SplittableRandom random) {
    int whole = random.nextInt(1, 20);
    return new Share(random.nextInt(whole + 1), whole);
  }
}
