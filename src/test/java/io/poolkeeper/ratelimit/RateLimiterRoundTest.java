package io.poolkeeper.ratelimit;

import static io.poolkeeper.ratelimit.RateLimiterDriver.LB2;
import static io.poolkeeper.ratelimit.RateLimiterDriver.balancer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.poolkeeper.model.LoadBalancerId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** At each priority level but those of drains, permits go round by namespace. */
class RateLimiterRoundTest {
  private static final Requester VICTIM = new Requester(LB2.pool("victim"), 1_000);

  /** Pools that change again as soon as they are written, and one of another namespace. */
  private static final class Flapping {
    private final RateLimiterDriver rateLimiter = RateLimiterDriver.shipped();
    private final PriorityLevel level;
    private final List<Requester> out = new ArrayList<>();

    /** Who had a permit since the victim asked for one. */
    private final List<Requester> granted = new ArrayList<>();

    /** So many pools, some of them at the victim's load balancer, each other one alone. */
    Flapping(int pools, int beside, PriorityLevel level) {
      this.level = level;
      for (int pool = 0; pool < pools; pool++) {
        LoadBalancerId at = pool < beside ? LB2 : balancer("lb-of-" + pool);
        request(new Requester(at.pool("p" + pool), pool), "flapping");
      }
    }

    private void request(Requester requester, String namespace) {
      heard(rateLimiter.request(requester, Priority.of(level).in(namespace)));
    }

    private void heard(RateLimiterDriver after) {
      granted.addAll(after.granted());
      out.addAll(after.granted());
    }

    /** A second passes, and each permit sends a write and ends. */
    void second() {
      heard(rateLimiter.seconds(1).timer());
      List.copyOf(out).forEach(this::ends);
    }

    private void ends(Requester holder) {
      out.remove(holder);
      heard(rateLimiter.sent(true));
      heard(rateLimiter.back(holder));
      if (!holder.equals(VICTIM)) {
        request(holder, "flapping");
      }
    }

    /** The victim changes once; returns who had a permit before it. */
    List<Requester> beforeVictim() {
      granted.clear();
      request(VICTIM, "victim");
      for (int second = 0; !granted.contains(VICTIM) && second < 60; second++) {
        second();
      }
      List<Requester> all = List.copyOf(granted);
      assertThat(all).contains(VICTIM);
      if (out.contains(VICTIM)) {
        ends(VICTIM);
      }
      return all.subList(0, all.indexOf(VICTIM));
    }

    boolean victimsPermitIsOut() {
      return out.stream().anyMatch(holder -> holder.loadBalancer().equals(LB2));
    }
  }

  @ParameterizedTest
  @CsvSource({"0,UPDATE", "1,UPDATE", "8,UPDATE", "45,UPDATE", "0,RETRY", "8,RETRY", "0,EARLY"})
  void namespaceOf45FlappingPools_anotherChanges_waitsForOnePermitAndTheNextToken(
      int beside, PriorityLevel level) {
    Flapping flapping = new Flapping(45, beside, level);
    IntStream.range(0, 120).forEach(second -> flapping.second());
    // After 3 s, another one has had a permit of any priority level since.
    for (int pause = 3; pause <= 20; pause++) {
      boolean out = flapping.victimsPermitIsOut();

      List<Requester> before = flapping.beforeVictim();

      long here = before.stream().filter(one -> one.loadBalancer().equals(LB2)).count();
      assertThat(here).isLessThanOrEqualTo(out ? 0 : 1);
      // While that one permit is out, the tokens of its second go to other load balancers.
      assertThat(before.size() - here).isLessThanOrEqualTo(out || here > 0 ? 2 : 0);
      IntStream.range(0, pause).forEach(second -> flapping.second());
    }
  }

  /** Who has the only permit, one after the other, until nobody waits; none comes again. */
  private static String order(RateLimiterDriver rateLimiter, Requester holder) {
    List<String> order = new ArrayList<>();
    for (rateLimiter.back(holder); !rateLimiter.granted().isEmpty(); rateLimiter.back(holder)) {
      holder = rateLimiter.granted().getFirst();
      order.add(holder.pool().name());
    }
    return String.join(" ", order);
  }

  /** Each pool is written {@code namespace-number/load balancer}; a dash is of no one namespace. */
  @ParameterizedTest
  @CsvSource({
    "a1/1 a2/1 a3/1 b1/1 b2/1,           b1 a1 b2 a2 a3",
    "a1/2 a2/3 a3/4 b1/5 b2/6,           b1 a1 b2 a2 a3",
    "b1/2 a1/3 c1/4 b2/5 c2/2 c3/2 a2/2, b1 c1 a1 b2 c2 a2 c3",
    "a1/2 a2/2 -1/2 -2/2 b1/2,           -1 b1 a1 -2 a2",
    "-1/2 -2/3 -3/2 -4/1,                -1 -2 -3 -4"
  })
  void onePermitAtATime_namespacesWait_goRoundAndEachByAge(String pools, String order) {
    RateLimiterDriver rateLimiter = RateLimiterDriver.with(100, 100, 1);
    Requester first = new Requester(balancer("lb-1").pool("a0"), 1);
    rateLimiter.request(first, Priority.of(PriorityLevel.UPDATE).in("a"));

    for (String pool : pools.split(" ", -1)) {
      String name = pool.substring(0, pool.indexOf('/'));
      LoadBalancerId at = balancer("lb-" + pool.substring(pool.indexOf('/') + 1));
      String namespace = name.startsWith("-") ? "" : name.substring(0, 1);
      rateLimiter.request(
          new Requester(at.pool(name), 10), Priority.of(PriorityLevel.UPDATE).in(namespace));
    }

    assertThat(order(rateLimiter, first)).isEqualTo(order);
  }

  @Test
  void namespaceComesBackAtOnce_isNotFirstAgain() {
    RateLimiterDriver rateLimiter = RateLimiterDriver.with(100, 100, 1);
    Requester[] many = RateLimiterDriver.many(0, 4);
    rateLimiter.request(VICTIM, Priority.of(PriorityLevel.UPDATE).in("b"));
    List.of(many)
        .forEach(one -> rateLimiter.request(one, Priority.of(PriorityLevel.UPDATE).in("a")));
    List<String> order = new ArrayList<>();
    Requester holder = VICTIM;
    while (order.size() < 5) {
      order.add(holder.pool().name());
      Requester next = rateLimiter.back(holder).granted().getFirst();
      if (holder.equals(VICTIM)) {
        rateLimiter.request(VICTIM, Priority.of(PriorityLevel.UPDATE).in("b"));
      }
      holder = next;
    }

    assertThat(order).containsExactly("victim", "p0", "victim", "p1", "victim");
  }

  /**
   * Only its last permit here counts here: else a namespace that is busy elsewhere would starve.
   */
  @Test
  void namespaceIsServedElsewhereAllTheTime_itsPermitHereComesAsWell() {
    RateLimiterDriver rateLimiter = RateLimiterDriver.with(100, 100, 2);
    Priority busy = Priority.of(PriorityLevel.UPDATE).in("busy");
    Requester elsewhere = new Requester(balancer("lb-3").pool("e"), 1);
    Requester[] others = {new Requester(LB2.pool("p0"), 2), new Requester(LB2.pool("p1"), 3)};
    List.of(others)
        .forEach(one -> rateLimiter.request(one, Priority.of(PriorityLevel.UPDATE).in("other")));
    rateLimiter.request(VICTIM, busy);
    for (int permit = 0; permit < 3; permit++) {
      rateLimiter.request(elsewhere, busy).back(elsewhere);
    }

    rateLimiter.back(others[0]);

    assertThat(rateLimiter.granted()).containsExactly(VICTIM);
  }

  @Test
  void ownerChanges_waitingRequest_goesRoundWithTheOtherNamespaceAndKeepsItsAge() {
    RateLimiterDriver rateLimiter = RateLimiterDriver.with(100, 100, 1);
    Requester[] many = RateLimiterDriver.many(0, 4);
    List.of(many)
        .forEach(one -> rateLimiter.request(one, Priority.of(PriorityLevel.UPDATE).in("a")));

    rateLimiter.request(many[3], Priority.of(PriorityLevel.UPDATE).in("b"));

    assertThat(rateLimiter.view().waiting(rateLimiter.now()))
        .extracting(one -> one.pool().name())
        .containsExactly("p1", "p3", "p2");
    assertThat(order(rateLimiter, many[0])).isEqualTo("p3 p1 p2");
  }

  @Test
  void drains_haveNoNamespace() {
    Priority drain = new Priority(PriorityLevel.DRAIN, Share.NONE);

    assertThatIllegalArgumentException().isThrownBy(() -> drain.in("a"));
  }

  @Test
  void served_moreNamespacesThanAreRemembered_theOldestCountsAsNeverServed() {
    RoundRobin round = RoundRobin.NONE;
    for (int permit = 1; permit <= RateLimiterLimits.MOST_NAMESPACES; permit++) {
      round = round.served("n" + permit, permit);
    }

    RoundRobin after = round.served("n1", 5_000).served("more", 5_001);

    assertThat(after.permits()).hasSize(RateLimiterLimits.MOST_NAMESPACES);
    assertThat(
            List.of("n1", "n2", "n3", "more").stream()
                .map(after::last)
                .collect(Collectors.toList()))
        .containsExactly(5_000L, 0L, 3L, 5_001L);
  }
}
