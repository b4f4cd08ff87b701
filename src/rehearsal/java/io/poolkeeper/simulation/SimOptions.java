package io.poolkeeper.simulation;

import io.poolkeeper.pool.Brake;
import io.poolkeeper.pool.PoolLimits;
import io.poolkeeper.ratelimit.RateLimiterLimits;
import io.poolkeeper.ratelimit.TokenBucket.Rate;
import io.poolkeeper.retry.Backoff;
import io.poolkeeper.retry.Jitter;
import io.poolkeeper.retry.RetryBudget;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * What one seed draws before anything happens. Each part is drawn from a stream of random numbers
 * of its own, which is named after it, and so is each fault: a new one deals no other anew.
 *
 * @param bindings empty if there are none
 */
record SimOptions(
    Size size,
    Nodes nodes,
    PoolLimits pools,
    RateLimiterLimits rateLimiter,
    Duration maxRetryAfter,
    Sharing sharing,
    Failures failures,
    Optional<Bindings> bindings) {
  static final String SUBSCRIPTION = "sub";
  static final String GROUP = "rg";
  static final String ENDPOINT = "http://127.0.0.1:1";

  private static final Set<Fault> LEASE_FAULTS =
      Set.of(Fault.LEASE_CALL, Fault.LEASE_LEFT, Fault.LEASE_STOLEN);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration WINDOW = Duration.ofMillis(100);

  private static final RateLimiterLimits.Early EARLY =
      new RateLimiterLimits.Early(new Rate(75, 500), 50, 200);
  private static final Duration BUDGET_TTL = SECOND.multipliedBy(10);
  private static final PoolLimits POOLS =
      pools(
          SECOND.multipliedBy(5),
          SECOND,
          SECOND.multipliedBy(10),
          true,
          WINDOW,
          2,
          MINUTE.multipliedBy(10));

  /** No permit needs the Lease. */
  static final Sharing UNSHARED =
      new Sharing(false, SECOND.multipliedBy(5), Duration.ofMillis(200), Optional.empty(), false);

  /** One pool on one load balancer, and no faults but a script's. */
  static final SimOptions SMALL =
      new SimOptions(
          new Size(1, 1, 3, MINUTE.multipliedBy(60)),
          new Nodes(false, 0),
          POOLS,
          new RateLimiterLimits(
              new Rate(20, 1_500),
              20,
              new Rate(10, 1_500),
              5,
              new Rate(200, 15_000),
              EARLY,
              4,
              MINUTE,
              MINUTE,
              new RateLimiterLimits.Pauses(POOLS.minInterval(), POOLS.interval()),
              new RetryBudget.Limits(20, BUDGET_TTL, 500, 100),
              false),
          MINUTE.multipliedBy(15),
          UNSHARED,
          new Failures(Set.of(), Duration.ofMillis(30), 0, 0, Optional.empty()),
          Optional.empty());

  /**
   * The world.
   *
   * @param change the mean time between two changes of it
   */
  record Size(int loadBalancers, int services, int nodes, Duration change) {
    private static Size draw(Chance chance) {
      return new Size(
          1 + chance.nextInt(3),
          1 + chance.nextInt(6),
          2 + chance.nextInt(7),
          chance.between(SECOND.multipliedBy(5), MINUTE.multipliedBy(2)));
    }
  }

  /**
   * What is made of nodes.
   *
   * @param otherSignals whether a further taint means leaving, and events may announce a preemption
   *     in any words
   * @param minActive entries of each pool that stay in service; if it is not 0, one node is in
   *     every pool
   */
  record Nodes(boolean otherSignals, int minActive) {
    private static Nodes draw(Chance chance) {
      return new Nodes(chance.happens(0.25), chance.happens(0.2) ? 1 + chance.nextInt(2) : 0);
    }
  }

  /**
   * How the Lease is shared.
   *
   * @param lease whether permits need it
   * @param outages whether calls about it are refused or hang for minutes at times
   */
  record Sharing(
      boolean lease,
      Duration maxTail,
      Duration yield,
      Optional<Duration> unreachableAfter,
      boolean outages) {
    private static Sharing draw(Chance chance) {
      return new Sharing(
          chance.happens(0.5),
          chance.pick(List.of(Duration.ofMillis(100), SECOND, UNSHARED.maxTail)),
          chance.pick(List.of(Duration.ofMillis(50), UNSHARED.yield, SECOND)),
          Optional.of(SECOND.multipliedBy(30)).filter(any -> chance.happens(0.2)),
          chance.happens(0.4));
    }
  }

  /**
   * What goes wrong.
   *
   * @param latency the longest way of a request or an answer, if nothing is wrong
   * @param lateness the part of all messages between actors that arrive a little late
   * @param faultRate the part of all exchanges with ARM that go wrong
   */
  record Failures(
      Set<Fault> faults,
      Duration latency,
      double lateness,
      double faultRate,
      Optional<Outage> outage) {
    private static Failures draw(Set<Fault> faults, Chance chance) {
      return new Failures(
          faults,
          chance.pick(
              List.of(Duration.ofMillis(30), Duration.ofMillis(400), SECOND.multipliedBy(3))),
          chance.pick(List.of(0.0, 0.02, 0.1)),
          chance.pick(List.of(0.0, 0.05, 0.15, 0.4)),
          Optional.empty());
    }
  }

  /**
   * From the start until then, every GET and PUT of a pool gets this answer.
   *
   * @param retryAfter what the answer asks for
   */
  record Outage(Duration length, int status, Optional<Duration> retryAfter) {}

  /**
   * The bindings of a run that has some.
   *
   * @param freezes whether the settings have a check asked for every binding
   * @param stream what they and their checkers draw from
   */
  record Bindings(boolean freezes, long stream) {}

  static SimOptions draw(long seed) {
    return draw(topic -> Chance.of(seed, topic));
  }

  /**
   * All that is drawn.
   *
   * @param topics a stream for each name
   */
  static SimOptions draw(Function<String, Chance> topics) {
    Sharing sharing = Sharing.draw(topics.apply("sharing"));
    Chance bindings = topics.apply("bindings");
    PoolLimits pools = pools(topics.apply("updater"));
    Chance permits = topics.apply("turnstile");
    return new SimOptions(
        Size.draw(topics.apply("size")),
        Nodes.draw(topics.apply("nodes")),
        pools,
        rateLimiter(permits, pools),
        permits.pick(List.of(MINUTE, MINUTE.multipliedBy(15))),
        sharing,
        Failures.draw(faults(topics, sharing.lease), topics.apply("failures")),
        Optional.of(new Bindings(bindings.happens(0.5), bindings.nextLong()))
            .filter(any -> bindings.happens(0.125)));
  }

  private static PoolLimits pools(Chance chance) {
    Duration interval =
        chance.pick(List.of(SECOND, SECOND.multipliedBy(5), SECOND.multipliedBy(30)));
    return pools(
        interval,
        chance.pick(List.of(Duration.ofMillis(200), SECOND, SECOND.multipliedBy(30))),
        chance.happens(0.8) ? interval.plusSeconds(5) : Duration.ZERO,
        chance.happens(0.8),
        chance.happens(0.5) ? WINDOW : Duration.ZERO,
        chance.nextInt(5),
        chance.between(MINUTE, MINUTE.multipliedBy(10)));
  }

  /** With a drain's shipped delays, and without a brake. */
  static PoolLimits pools(
      Duration interval,
      Duration minInterval,
      Duration verifyAfter,
      boolean leadingEdge,
      Duration window,
      int maxRetries,
      Duration resync) {
    return new PoolLimits(
        interval,
        minInterval,
        leadingEdge,
        window,
        verifyAfter,
        resync,
        maxRetries,
        new Backoff(SECOND, MINUTE, Jitter.EQUAL),
        Brake.OFF,
        false);
  }

  private static RateLimiterLimits rateLimiter(Chance chance, PoolLimits pools) {
    int burst = 5 + chance.nextInt(chance.pick(List.of(5, 30, 150)));
    int rate = chance.pick(List.of(200, 1_500, 5_000));
    int initial = chance.nextInt(burst + 1);
    int reads = chance.pick(List.of(1_000, 15_000));
    return new RateLimiterLimits(
        new Rate(burst, rate),
        initial,
        new Rate(10, rate),
        5,
        new Rate(20 + chance.nextInt(200), reads),
        chance.happens(0.5)
            ? EARLY
            : new RateLimiterLimits.Early(new Rate(5, 200), chance.nextInt(6), 50),
        1 + chance.nextInt(16),
        chance.pick(List.of(SECOND.multipliedBy(20), MINUTE)),
        chance.between(SECOND.multipliedBy(30), MINUTE.multipliedBy(5)),
        new RateLimiterLimits.Pauses(pools.minInterval(), pools.interval()),
        new RetryBudget.Limits(
            1 + chance.nextInt(20),
            BUDGET_TTL,
            chance.pick(List.of(100, 500, 2_000)),
            chance.pick(List.of(0, 20, 100))),
        chance.happens(0.2));
  }

  private static Set<Fault> faults(Function<String, Chance> topics, boolean lease) {
    double each = topics.apply("faults").pick(List.of(0.1, 0.4, 0.7));
    Set<Fault> faults = EnumSet.noneOf(Fault.class);
    for (Fault fault : Fault.values()) {
      boolean ofLease = LEASE_FAULTS.contains(fault);
      if ((lease || !ofLease) && topics.apply(fault.name()).happens(ofLease ? 0.4 : each)) {
        faults.add(fault);
      }
    }
    return faults;
  }

  /** Whether the settings have a check asked for every binding. */
  boolean freezes() {
    return bindings.map(Bindings::freezes).orElse(false);
  }

  boolean has(Fault fault) {
    return failures.faults.contains(fault);
  }

  /** How late an actor or a process may hear of anything, beside the network. */
  Duration slack() {
    return has(Fault.SLOW_ACTOR) || has(Fault.FREEZE) ? rateLimiter.permitDeadline() : SECOND;
  }
}
