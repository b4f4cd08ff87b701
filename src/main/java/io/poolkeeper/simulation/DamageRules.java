package io.poolkeeper.simulation;

import io.poolkeeper.armsim.protocol.ArmPath;
import io.poolkeeper.model.PoolId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The rule about looks (architecture, Observations): a pool that the cloud provider has damaged
 * does not rest for long as if nothing were wrong. If the provider says that it has written, a look
 * comes at once; if its event is lost, one of the looks by time after the process's own last write
 * there.
 *
 * <p>Only what nothing else explains is judged: no call has failed since, nobody has written the
 * pool and nothing else is wanted there, and it is not the third damage of the pool, as repairs of
 * those wait.
 */
final class DamageRules {
  private static final Set<Fault> EXCUSES =
      Set.of(
          Fault.SLOW_NETWORK,
          Fault.SLOW_ACTOR,
          Fault.FREEZE,
          Fault.WATCH_GAP,
          Fault.POOL_CRASH,
          Fault.CRASH);

  /** From the provider's write to its event, the look, and what it shows. */
  private static final Duration SOON = Duration.ofMinutes(1);

  /** The first and the last of the looks by time, after the first one. */
  private static final Duration LAST_LOOK = Duration.ofSeconds(265);

  /** The longest time between two of them, what conflates them, and what the look shows. */
  private static final Duration BETWEEN = Duration.ofSeconds(180 + 30 + 60);

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
      PoolId pool, Set<String> left, Expected.Members wanted, int byOthers, int disturbances) {}

  DamageRules(SimProcess process, SimWorld sim, GateLedger gates) {
    this.process = process;
    this.sim = sim;
    this.gates = gates;
    this.expected = new Expected(sim.cluster, sim.arm);
  }

  /** A call has failed in any way, or a whole load balancer was written. */
  void disturbed() {
    disturbances++;
  }

  /** A write of the process's own has ended at ARM. */
  void wrote(PoolId pool) {
    written.put(pool, new Written(sim.time.now(), disturbances));
  }

  /** Somebody else has written a pool, and says so or does not. */
  void othersWrote(PoolId pool, boolean announced) {
    int times = byOthers.merge(pool, 1, Integer::sum);
    Set<String> left = sim.arm.addresses(pool.path());
    Optional<Expected.Members> wanted =
        Optional.ofNullable(expected.expected().get(pool.path()))
            .filter(members -> !members.vague() && !members.exactly().equals(left));
    Optional<Duration> within = announced ? Optional.of(SOON) : byTime(pool);
    boolean excused =
        sim.options.verifyAfter().isZero()
            || EXCUSES.stream().anyMatch(sim.options::has)
            || gates.closed(LISTING, false, sim.time.now()).isPresent();
    if (wanted.isPresent() && times <= JUDGED && within.isPresent() && !excused) {
      Damage damage = new Damage(pool, left, wanted.get(), times, disturbances);
      sim.time.after(within.get(), () -> judge(damage));
    }
  }

  private Optional<Duration> byTime(PoolId pool) {
    Duration first = sim.options.verifyAfter();
    return Optional.ofNullable(written.get(pool))
        .filter(own -> own.disturbances() == disturbances)
        .filter(own -> sim.time.now().isBefore(own.at().plus(first).plus(LAST_LOOK)))
        .map(own -> first.compareTo(BETWEEN) > 0 ? first.plus(BETWEEN) : BETWEEN);
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
    return disturbances == damage.disturbances()
        && byOthers.getOrDefault(damage.pool(), 0) == damage.byOthers()
        && sim.arm.addresses(path).equals(damage.left())
        && damage.wanted().equals(expected.expected().get(path));
  }
}
