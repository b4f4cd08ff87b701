package io.poolkeeper.simulation;

import io.poolkeeper.config.Settings;
import java.net.URI;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * What one seed draws before anything happens: the size of the world, the settings of the
 * controller, and which faults there are and how often.
 *
 * @param latency the longest way of a request or an answer, if nothing is wrong
 * @param lateness the part of all messages between actors that arrive a little late
 * @param faultRate the part of all exchanges with ARM that go wrong
 * @param change the mean time between two changes of the cluster
 * @param lease whether turns need the Lease that is shared with the cloud provider
 * @param otherSignals whether a further taint means leaving, and events may announce a preemption
 *     in any words
 * @param bindings what they and their checkers draw from; empty if there are none
 * @param sharing how the Lease is shared
 * @param minActive entries of each pool that stay in service; if it is not 0, one node is in every
 *     pool
 */
record SimOptions(
    int loadBalancers,
    int services,
    int nodes,
    Duration interval,
    Duration minInterval,
    Duration verifyAfter,
    boolean leadingEdge,
    Duration window,
    int maxRetries,
    Duration resync,
    Settings.Turnstile turnstile,
    Set<Fault> faults,
    Duration latency,
    double lateness,
    double faultRate,
    Duration change,
    Optional<Outage> outage,
    boolean lease,
    boolean otherSignals,
    OptionalLong bindings,
    Sharing sharing,
    int minActive) {
  static final String SUBSCRIPTION = "sub";
  static final String GROUP = "rg";
  private static final String VNET =
      "/subscriptions/sub/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/vnet";
  static final String ENDPOINT = "http://127.0.0.1:1";
  private static final Set<Fault> LEASE_FAULTS =
      Set.of(Fault.LEASE_CALL, Fault.LEASE_LEFT, Fault.LEASE_STOLEN);

  /** Separates the draws of the signals from all others of a seed. */
  private static final long SIGNALS = 0x516e_a150;

  private static final long FLOOR = 0xf100;

  private static final Duration SECOND = Duration.ofSeconds(1);

  /** As shipped. */
  private static final Settings.Early EARLY = new Settings.Early(500, 75, 50, 200);

  /** One pool on one load balancer, and no faults but a script's. */
  static final SimOptions SMALL =
      new SimOptions(
          1,
          1,
          3,
          SECOND.multipliedBy(5),
          SECOND,
          SECOND.multipliedBy(10),
          true,
          Duration.ofMillis(100),
          2,
          Duration.ofMinutes(10),
          new Settings.Turnstile(
              new Settings.Writes(1_500, 20, 20, 10, 5),
              new Settings.Reads(15_000, 200),
              EARLY,
              4,
              SECOND.multipliedBy(60),
              Duration.ofMinutes(1),
              new Settings.Budget(20, SECOND.multipliedBy(10), 500, 100, false),
              Duration.ofMinutes(15)),
          Set.of(),
          Duration.ofMillis(30),
          0,
          0,
          Duration.ofHours(1),
          Optional.empty(),
          false,
          false,
          OptionalLong.empty(),
          Sharing.SHIPPED,
          0);

  /**
   * How the Lease is shared. It is drawn from a stream of its own.
   *
   * @param outages whether calls about the Lease are refused or hang for minutes at times
   */
  record Sharing(
      Duration maxTail, Duration yield, Optional<Duration> unreachableAfter, boolean outages) {
    private static final long STREAM = 0x5EA5E;

    static final Sharing SHIPPED =
        new Sharing(SECOND.multipliedBy(5), Duration.ofMillis(200), Optional.empty(), false);

    private static Sharing draw(long seed) {
      Chance chance = new Chance(seed ^ STREAM);
      return new Sharing(
          chance.pick(List.of(Duration.ofMillis(100), SECOND, SHIPPED.maxTail)),
          chance.pick(List.of(Duration.ofMillis(50), SHIPPED.yield, SECOND)),
          chance.happens(0.2) ? Optional.of(SECOND.multipliedBy(30)) : Optional.empty(),
          chance.happens(0.4));
    }
  }

  /**
   * From the start until then, every GET and PUT of a pool gets this answer.
   *
   * @param retryAfter what the answer asks for
   */
  record Outage(Duration length, int status, Optional<Duration> retryAfter) {}

  /**
   * Many pools on ten load balancers, shipped settings, and an outage when all have to be written.
   */
  static SimOptions storm(int pools, Outage outage) {
    return shipped(10, pools, SECOND.multipliedBy(2), outage);
  }

  /** A few pools on one load balancer, and an outage that is over when it begins. */
  static SimOptions flapping(int pools, Duration minInterval) {
    return shipped(1, pools, minInterval, new Outage(Duration.ZERO, 503, Optional.empty()));
  }

  private static SimOptions shipped(
      int loadBalancers, int pools, Duration minInterval, Outage outage) {
    return new SimOptions(
        loadBalancers,
        pools,
        20,
        SECOND.multipliedBy(30),
        minInterval,
        SECOND.multipliedBy(35),
        true,
        Duration.ofMillis(100),
        3,
        Duration.ofMinutes(10),
        new Settings.Turnstile(
            new Settings.Writes(1_500, 150, 50, 200, 50),
            new Settings.Reads(15_000, 200),
            EARLY,
            16,
            SECOND.multipliedBy(60),
            Duration.ofMinutes(5),
            new Settings.Budget(20, SECOND.multipliedBy(10), 500, 100, false),
            Duration.ofMinutes(15)),
        Set.of(),
        Duration.ofMillis(100),
        0,
        0,
        Duration.ofHours(1),
        Optional.of(outage),
        outage.length().isPositive(),
        false,
        OptionalLong.empty(),
        Sharing.SHIPPED,
        0);
  }

  static SimOptions draw(Chance chance) {
    Duration interval =
        chance.pick(List.of(SECOND, SECOND.multipliedBy(5), SECOND.multipliedBy(30)));
    SimOptions drawn =
        new SimOptions(
            1 + chance.nextInt(3),
            1 + chance.nextInt(6),
            2 + chance.nextInt(7),
            interval,
            chance.pick(List.of(Duration.ofMillis(200), SECOND, SECOND.multipliedBy(30))),
            chance.happens(0.8) ? interval.plusSeconds(5) : Duration.ZERO,
            chance.happens(0.8),
            chance.happens(0.5) ? Duration.ofMillis(100) : Duration.ZERO,
            chance.nextInt(5),
            chance.between(Duration.ofMinutes(1), Duration.ofMinutes(10)),
            turnstile(chance),
            faults(chance),
            chance.pick(
                List.of(Duration.ofMillis(30), Duration.ofMillis(400), SECOND.multipliedBy(3))),
            chance.pick(List.of(0.0, 0.02, 0.1)),
            chance.pick(List.of(0.0, 0.05, 0.15, 0.4)),
            chance.between(Duration.ofSeconds(5), Duration.ofSeconds(120)),
            Optional.empty(),
            false,
            false,
            OptionalLong.empty(),
            Sharing.SHIPPED,
            0);
    return drawn.sharing(chance);
  }

  /** With the terms of the shared Lease that the seed has. */
  SimOptions sharing(long seed) {
    return with(faults, lease, otherSignals, bindings, Sharing.draw(seed), minActive);
  }

  /** Every eighth seed has bindings; the runs of the others are what they were without any. */
  SimOptions binding(long seed) {
    return seed % 8 == 0
        ? with(faults, lease, otherSignals, OptionalLong.of(seed), sharing, minActive)
        : this;
  }

  /** A quarter of the seeds, drawn apart: the runs of the others are what they were without. */
  SimOptions signals(long seed) {
    boolean other = new Chance(seed ^ SIGNALS).happens(0.25);
    return with(faults, lease, other, bindings, sharing, minActive);
  }

  /** A fifth of the seeds, drawn apart. */
  SimOptions floor(long seed) {
    Chance chance = new Chance(seed ^ FLOOR);
    int floor = chance.happens(0.2) ? 1 + chance.nextInt(2) : 0;
    return with(faults, lease, otherSignals, bindings, sharing, floor);
  }

  /** Whether the settings have a check asked for every binding. */
  boolean freezes() {
    return bindings.isPresent() && bindings.getAsLong() % 16 == 0;
  }

  /**
   * Half of them share the Lease; the runs of the others are what they were before there was one.
   */
  private SimOptions sharing(Chance chance) {
    if (resync.toNanos() % 2 == 0) {
      return this;
    }
    Set<Fault> more = EnumSet.copyOf(LEASE_FAULTS);
    more.removeIf(fault -> !chance.happens(0.4));
    more.addAll(faults);
    return with(more, true, otherSignals, bindings, sharing, minActive);
  }

  private SimOptions with(
      Set<Fault> more,
      boolean shares,
      boolean signals,
      OptionalLong binding,
      Sharing terms,
      int floor) {
    return new SimOptions(
        loadBalancers,
        services,
        nodes,
        interval,
        minInterval,
        verifyAfter,
        leadingEdge,
        window,
        maxRetries,
        resync,
        turnstile,
        more,
        latency,
        lateness,
        faultRate,
        change,
        outage,
        shares,
        signals,
        binding,
        terms,
        floor);
  }

  private static Settings.Turnstile turnstile(Chance chance) {
    int burst = 5 + chance.nextInt(150);
    return new Settings.Turnstile(
        new Settings.Writes(
            chance.pick(List.of(200, 1_500, 5_000)), burst, chance.nextInt(burst + 1), 10, 5),
        new Settings.Reads(chance.pick(List.of(1_000, 15_000)), 20 + chance.nextInt(200)),
        chance.happens(0.5) ? EARLY : new Settings.Early(200, 5, chance.nextInt(6), 50),
        1 + chance.nextInt(16),
        chance.pick(List.of(SECOND.multipliedBy(20), SECOND.multipliedBy(60))),
        chance.between(Duration.ofSeconds(30), Duration.ofMinutes(5)),
        new Settings.Budget(
            1 + chance.nextInt(20),
            SECOND.multipliedBy(10),
            chance.pick(List.of(100, 500, 2_000)),
            chance.pick(List.of(0, 20, 100)),
            chance.happens(0.2)),
        chance.pick(List.of(Duration.ofMinutes(1), Duration.ofMinutes(15))));
  }

  private static Set<Fault> faults(Chance chance) {
    Set<Fault> faults = EnumSet.noneOf(Fault.class);
    double each = chance.pick(List.of(0.1, 0.4, 0.7));
    for (Fault fault : EnumSet.complementOf(EnumSet.copyOf(LEASE_FAULTS))) {
      if (chance.happens(each)) {
        faults.add(fault);
      }
    }
    return faults;
  }

  boolean has(Fault fault) {
    return faults.contains(fault);
  }

  /** How late an actor or a process may hear of anything, beside the network. */
  Duration slack() {
    boolean late = has(Fault.SLOW_ACTOR) || has(Fault.FREEZE);
    return late ? turnstile.turnDeadline() : SECOND;
  }

  /** Whether a pool has its Service for as long as the Service does not change. */
  boolean stableAssignments() {
    return !has(Fault.PEER)
        && !has(Fault.POOL_CRASH)
        && !has(Fault.SLOW_ACTOR)
        && !has(Fault.FREEZE);
  }

  Settings settings() {
    return new Settings(
        "kubernetes",
        Settings.Mode.WRITE,
        false,
        azure(),
        new Settings.Updater(
            true, interval, minInterval, verifyAfter, leadingEdge, window, maxRetries, resync),
        new Settings.AdminState(
            true,
            Duration.ofMillis(20),
            SECOND,
            Duration.ofMinutes(1),
            minActive,
            otherSignals ? List.of(NodeSignals.EXTRA) : List.of()),
        new Settings.Spot(true, otherSignals ? List.of("*") : NodeSignals.SHIPPED),
        new Settings.Brake(500, 3, Duration.ZERO),
        turnstile,
        new Settings.Lock(
            lease,
            "lease",
            "kube-system",
            "poolkeeper",
            Duration.ofMinutes(15),
            LeaseClient.MAX_HOLD,
            sharing.maxTail(),
            sharing.yield(),
            Optional.of(LeaseClient.DRAIN_WAIT),
            sharing.unreachableAfter()),
        new Settings.LeaderElection(
            false,
            "poolkeeper-leader",
            Optional.empty(),
            Duration.ofSeconds(15),
            Duration.ofSeconds(10),
            Duration.ofSeconds(2)),
        admission(),
        Settings.Http.open("127.0.0.1", 0));
  }

  private Settings.Admission admission() {
    return new Settings.Admission(
        bindings.isPresent(),
        SimBindings.LONGEST_DELAY,
        freezes() ? List.of("freeze") : List.of(),
        Map.of(SimCluster.NAMESPACE, List.of(BindingUsers.BALANCER.pool("*").path())));
  }

  private Settings.Azure azure() {
    return new Settings.Azure(
        SUBSCRIPTION,
        GROUP,
        GROUP,
        Optional.of(VNET),
        IntStream.range(0, loadBalancers).mapToObj(SimArm::name).toList(),
        Settings.Cloud.PUBLIC,
        Optional.of(URI.create(ENDPOINT)),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        new Settings.Credential.None(),
        "2025-05-01");
  }
}
