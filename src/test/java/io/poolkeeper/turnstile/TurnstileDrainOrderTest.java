package io.poolkeeper.turnstile;

import static io.poolkeeper.turnstile.TurnstileDriver.A;
import static io.poolkeeper.turnstile.TurnstileDriver.LB1;
import static io.poolkeeper.turnstile.TurnstileDriver.LB2;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.TurnResult;
import io.poolkeeper.turnstile.TurnstileEffect.Grant;
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
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The order of drains at one load balancer (architecture, The turnstile): the largest share first,
 * the oldest among equals, and nobody is passed over more than four times by those who came later.
 */
class TurnstileDrainOrderTest {
  private static final int MOST = 4;
  private static final List<Share> SHARES =
      List.of(Share.NONE, new Share(1, 3), new Share(1, 2), new Share(1, 1));

  private final TurnstileDriver turnstile = TurnstileDriver.wide();

  private static Requester pool(int number) {
    return new Requester(LB1.pool("p" + number), 100 + number);
  }

  /** One who waits, and how many who came later have gone before it. */
  private record Waiter(Requester requester, Share share, int place, int passes) {
    static final Comparator<Waiter> BY_SHARE =
        Comparator.comparing(Waiter::share).thenComparing(Waiter::place, Comparator.reverseOrder());
  }

  /** The rule as it reads, with a count for each; throws if a turn breaks it. */
  private static final class Books {
    private final TurnstileDriver turnstile = TurnstileDriver.wide().request(A, Lane.UPDATE);
    private final Map<Requester, Waiter> waiting = new LinkedHashMap<>();
    private Requester holder = A;
    private int places;
    private int mostPasses;

    void request(Requester requester, Share share) {
      Waiter before = waiting.get(requester);
      int place = before == null ? places++ : before.place();
      int passes = before == null ? 0 : before.passes();
      waiting.put(requester, new Waiter(requester, share, place, passes));
      turnstile.request(requester, new Priority(Lane.DRAIN, share));
    }

    void cancel(Requester requester) {
      waiting.remove(requester);
      turnstile.cancel(requester);
    }

    void turnEnds() {
      Optional<Waiter> late =
          waiting.values().stream()
              .filter(waiter -> waiter.passes() == MOST)
              .min(Comparator.comparingInt(Waiter::place));
      Waiter expected =
          late.orElseGet(() -> waiting.values().stream().max(Waiter.BY_SHARE).orElseThrow());
      long turn = turnstile.view().turns().getFirst().turn();
      holder = turnstile.giveBack(holder, turn, TurnResult.SUCCEEDED).granted().getFirst();
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

  private void request(Lane lane, int number, int part, int whole) {
    turnstile.request(pool(number), new Priority(lane, new Share(part, whole)));
  }

  /** Who has the turn, one after the other, until nobody waits; none of them comes again. */
  private List<Requester> order(Requester first) {
    List<Requester> order = new ArrayList<>();
    Requester holder = first;
    long turn = turnstile.view().turns().getFirst().turn();
    while (true) {
      List<Grant> grants = turnstile.giveBack(holder, turn, TurnResult.SUCCEEDED).grants();
      if (grants.isEmpty()) {
        return order;
      }
      holder = grants.getFirst().requester();
      turn = grants.getFirst().turn();
      order.add(holder);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"DRAIN", "DRAIN_RETRY"})
  void drains_ofOneLoadBalancer_goByTheirShare(Lane lane) {
    turnstile.request(A, Lane.UPDATE);
    request(lane, 1, 1, 10);
    request(lane, 2, 1, 2);
    request(lane, 3, 2, 2);
    request(lane, 4, 3, 7);

    assertThat(order(A)).containsExactly(pool(3), pool(2), pool(4), pool(1));
  }

  @Test
  void drains_ofEqualShares_goInTheOrderTheyCame() {
    turnstile.request(A, Lane.UPDATE);
    request(Lane.DRAIN, 1, 2, 4);
    request(Lane.DRAIN, 2, 1, 2);
    request(Lane.DRAIN, 3, 3, 6);

    assertThat(order(A)).containsExactly(pool(1), pool(2), pool(3));
  }

  @ParameterizedTest
  @EnumSource(names = {"DRAIN", "DRAIN_RETRY"})
  void drain_thatFourLaterOnesPassed_goesNext(Lane lane) {
    turnstile.request(A, Lane.UPDATE);
    request(lane, 1, 0, 1);
    for (int number = 2; number <= 8; number++) {
      request(lane, number, 1, 1);
    }

    assertThat(order(A))
        .containsExactly(pool(2), pool(3), pool(4), pool(5), pool(1), pool(6), pool(7), pool(8));
  }

  @Test
  void drain_thatManyOlderOnesPrecede_wasNotPassedOver() {
    turnstile.request(A, Lane.UPDATE);
    for (int number = 1; number <= 6; number++) {
      request(Lane.DRAIN, number, 1, 2);
    }
    request(Lane.DRAIN, 7, 1, 10);
    request(Lane.DRAIN, 8, 1, 3);

    assertThat(order(A))
        .containsExactly(pool(1), pool(2), pool(3), pool(4), pool(5), pool(6), pool(8), pool(7));
  }

  @Test
  void drain_thatSetsNothingDown_goesAfterThoseThatDo() {
    turnstile.request(A, Lane.UPDATE);
    turnstile.request(pool(1), Lane.DRAIN);
    request(Lane.DRAIN, 2, 1, 1_000);

    assertThat(order(A)).containsExactly(pool(2), pool(1));
  }

  @Test
  void share_saidAnew_countsAndKeepsTheTicket() {
    turnstile.request(A, Lane.UPDATE);
    request(Lane.DRAIN, 1, 1, 10);
    request(Lane.DRAIN, 2, 1, 2);
    request(Lane.DRAIN, 3, 1, 2);

    request(Lane.DRAIN, 1, 1, 2);
    request(Lane.DRAIN, 2, 1, 3);

    assertThat(order(A)).containsExactly(pool(1), pool(3), pool(2));
  }

  @Test
  void share_saidAgain_changesNothing() {
    turnstile.request(A, Lane.UPDATE);
    request(Lane.DRAIN, 1, 1, 2);
    request(Lane.DRAIN, 2, 1, 2);

    request(Lane.DRAIN, 1, 2, 4);

    assertThat(order(A)).containsExactly(pool(1), pool(2));
  }

  @Test
  void loadBalancers_goByTheirOldestDrain_whateverTheShares() {
    TurnstileDriver one = TurnstileDriver.with(100, 100, 1);
    one.request(new Requester(TurnstileDriver.balancer("lb-3").pool("x"), 9), Lane.UPDATE);
    one.request(pool(1), new Priority(Lane.DRAIN, new Share(1, 10)));
    Requester other = new Requester(LB2.pool("q"), 8);
    one.request(other, new Priority(Lane.DRAIN, new Share(1, 1)));
    one.request(pool(2), new Priority(Lane.DRAIN, new Share(1, 2)));

    one.giveBack(
        new Requester(TurnstileDriver.balancer("lb-3").pool("x"), 9), 1, TurnResult.FAILED);

    assertThat(one.granted()).containsExactly(pool(2));
  }

  /** Seven pools with every combination of four shares; the last three come one per turn. */
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
          books.turnEnds();
        }
      }
      while (!books.waiting().isEmpty()) {
        books.turnEnds();
      }
      most = Math.max(most, books.mostPasses());
    }
    assertThat(most).isEqualTo(MOST);
  }

  /** Drains without end, shares that change, pools that want no turn any more. */
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
          books.turnEnds();
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
