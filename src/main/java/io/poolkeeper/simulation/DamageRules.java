package io.poolkeeper.simulation;

import io.poolkeeper.armsim.protocol.ArmPath;
import io.poolkeeper.model.PoolId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The rule about looks (architecture, Observations): a pool that the cloud provider has damaged
 * does not rest for long as if nothing were wrong. If the provider says that it has written, a look
 * comes at once; if its event is lost, one of the looks by time after the process's own last write
 * there.
 *
 * <p>Only what nothing else explains is judged: no call or actor has failed since, all actors and
 * watches are well, nobody has written the pool and nothing else is wanted there, and it is not the
 * third damage of the pool, as repairs of those wait.
 */
final class DamageRules {
  /** From the provider's event to the look, and what it shows. */
  private static final Duration SOON = Duration.ofSeconds(20);

  /** When looks come, after {@code verify-after}. */
  private static final List<Duration> LOOKS =
      List.of(Duration.ZERO, Duration.ofSeconds(85), Duration.ofSeconds(265));

  /** One look serves those due within half a minute, and comes half a minute after another. */
  private static final Duration CONFLATED = Duration.ofSeconds(60);

  private static final int JUDGED = 2;
  private static final ArmPath LISTING =
      ArmPath.parse(
          "/subscriptions/%s/resourceGroups/%s/providers/Microsoft.Network/loadBalancers"
              .formatted(SimOptions.SUBSCRIPTION, SimOptions.GROUP));

  private final SimProcess process;
  private final SimWorld sim;
  private final GateLedger gates;
  private final Expected expected;
  private final Map<PoolId, Integer> byOthers = new HashMap<>();
  private final Map<PoolId, Written> written = new HashMap<>();
  private int disturbances;

  /** A write of the process's own that has ended, and how much had been disturbed before. */
  private record Written(Instant at, int disturbances) {}

  /** A pool as another writer has left it. */
  private record Damage(
      PoolId pool,
      Set<String> left,
      Expected.Members wanted,
      int byOthers,
      Optional<Written> own,
      int disturbances) {}

  DamageRules(SimProcess process, SimWorld sim, GateLedger gates) {
    this.process = process;
    this.sim = sim;
    this.gates = gates;
    this.expected = new Expected(sim.cluster, sim.arm);
  }

  /** A call has failed in any way, a watch has, or a whole load balancer was written. */
  void disturbed() {
    disturbances++;
  }

  /** All of these, and what has happened to actors. */
  private int disturbances() {
    return disturbances + sim.time.disturbances();
  }

  /** A write of the process's own has ended at ARM. */
  void wrote(PoolId pool) {
    written.put(pool, new Written(sim.time.now(), disturbances()));
  }

  /** Somebody else has written a pool. */
  void othersWrote(PoolId pool) {
    byOthers.merge(pool, 1, Integer::sum);
    nextLook(pool).ifPresent(at -> mustLook(pool, at.plus(CONFLATED).plus(SOON)));
  }

  /** The cloud provider's event arrives, that it has written a pool. */
  void heard(PoolId pool) {
    mustLook(pool, sim.time.now().plus(SOON));
  }

  private Optional<Written> lastWrite(PoolId pool) {
    return Optional.ofNullable(written.get(pool));
  }

  private Optional<Instant> nextLook(PoolId pool) {
    return lastWrite(pool)
        .filter(own -> own.disturbances() == disturbances())
        .flatMap(
            own ->
                LOOKS.stream()
                    .map(later -> own.at().plus(sim.options.verifyAfter()).plus(later))
                    .filter(look -> look.isAfter(sim.time.now()))
                    .findFirst());
  }

  private void mustLook(PoolId pool, Instant end) {
    int times = byOthers.getOrDefault(pool, 0);
    Set<String> left = sim.arm.addresses(pool.path());
    Optional<Expected.Members> wanted =
        Optional.ofNullable(expected.expected().get(pool.path()))
            .filter(members -> !members.vague() && !members.exactly().equals(left));
    boolean excused =
        sim.options.verifyAfter().isZero()
            || sim.options.has(Fault.SLOW_NETWORK)
            || sim.time.disturbed()
            || !process.watches().stream().allMatch(SimWatch::live)
            || gates.closed(LISTING, false, sim.time.now()).isPresent();
    if (wanted.isPresent() && times <= JUDGED && !excused) {
      Damage damage = new Damage(pool, left, wanted.get(), times, lastWrite(pool), disturbances());
      sim.time.at(end, () -> judge(damage));
    }
  }

  private void judge(Damage damage) {
    if (!process.alive() || process.stopping() || !same(damage)) {
      return;
    }
    if (!sim.time.settled()) {
      sim.time.after(Duration.ofSeconds(1), () -> judge(damage));
      return;
    }
    boolean rests =
        process.status().pools().stream()
            .anyMatch(pool -> pool.id().equals(damage.pool()) && pool.state().equals("Idle"));
    sim.check(
        !rests,
        "%s rests damaged with %s: nobody has looked".formatted(damage.pool(), damage.left()));
  }

  /** Whether nothing has happened to the pool since. */
  private boolean same(Damage damage) {
    String path = damage.pool().path();
    return disturbances() == damage.disturbances()
        && byOthers.getOrDefault(damage.pool(), 0) == damage.byOthers()
        && lastWrite(damage.pool()).equals(damage.own())
        && sim.arm.addresses(path).equals(damage.left())
        && damage.wanted().equals(expected.expected().get(path));
  }
}
