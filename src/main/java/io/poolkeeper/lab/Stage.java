package io.poolkeeper.lab;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.poolkeeper.lab.Blueprint.Spec;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * What a scenario acts on: the world, faults of ARM, waits, progress lines. The rehearsal says how
 * the abstract ones are done. Used by one thread.
 */
public abstract class Stage {
  /** There are not many more. */
  private static final int MOST_HELD = 40;

  private final World world;
  private final Duration interval;
  private final RandomGenerator random;
  private final Ledger ledger = new Ledger();
  private final Nodes nodes;
  private final ProblemDetector detector;
  private final Peer peer;
  private final Bindings bindings;
  private final Checkers checkers;
  private final Clock clock;

  /** The members that the pools of a Service had; none of them is used again. */
  private final Map<Spec, Set<Set<String>>> held = new HashMap<>();

  /**
   * A stage.
   *
   * @param interval the controller's update interval
   * @param random seeded by the rehearsal's seed
   */
  protected Stage(
      World world,
      KubernetesClient client,
      URI arm,
      Clock clock,
      Duration interval,
      RandomGenerator random) {
    this.world = world;
    this.nodes = new Nodes(client, world, ledger, clock.nanos());
    this.detector = new ProblemDetector(client, clock.wall());
    this.peer = new Peer(arm, client, world, clock);
    this.bindings = new Bindings(client);
    this.checkers = new Checkers(client, clock.wall());
    this.clock = clock;
    this.interval = interval;
    this.random = random;
  }

  /** The times of a rehearsal. */
  public record Clock(LongSupplier nanos, InstantSource wall) {}

  /** The nodes as what goes out of service. */
  public Nodes nodes() {
    return nodes;
  }

  ProblemDetector detector() {
    return detector;
  }

  /** The other writers. */
  public Peer peer() {
    return peer;
  }

  /** The bindings, where there are any. */
  public Bindings bindings() {
    return bindings;
  }

  /** Who answers their admission checks. */
  public Checkers checkers() {
    return checkers;
  }

  long nanos() {
    return clock.nanos().getAsLong();
  }

  /** The cluster. */
  protected World world() {
    return world;
  }

  /** The retries that the scenario causes. */
  public Ledger ledger() {
    return ledger;
  }

  Duration interval() {
    return interval;
  }

  RandomGenerator random() {
    return random;
  }

  /** Gives a Service endpoints that it had not had in this rehearsal, or not for many moves. */
  void move(Spec spec) {
    Set<Set<String>> before = held.computeIfAbsent(spec, s -> new HashSet<>());
    if (before.size() >= MOST_HELD) {
      before.clear();
    }
    before.add(world.members(spec, false).keySet());
    Set<Integer> nodes = draw();
    while (before.contains(world.membersWith(spec, 0, nodes))) {
      nodes = draw();
    }
    world.setSlice(spec, 0, nodes);
  }

  private Set<Integer> draw() {
    int first = random.nextInt(Blueprint.NODES);
    return World.window(first, 2 + random.nextInt(5));
  }

  /** Moves a Service whose next writes fail; {@code how} are members of the rule. */
  void fail(String service, int times, Map<String, ?> how) throws InterruptedException {
    Spec spec = Blueprint.named(service);
    failNext(spec, times, how);
    ledger.refused(spec, times);
    move(spec);
  }

  /** Makes the next writes to one pool fail. */
  void failNext(Spec spec, int times, Map<String, ?> how) throws InterruptedException {
    Map<String, Object> rule = new HashMap<>(how);
    rule.put("method", "PUT");
    rule.put("path", "/backendAddressPools/%s$".formatted(spec.pool(false)));
    rule.put("times", times);
    inject(rule);
  }

  /** So many intervals in whole seconds, the unit of {@code Retry-After}; at least one. */
  long seconds(double intervals) {
    return Math.max(1, Math.round(interval.toMillis() * intervals / 1000));
  }

  /** A part of the scenario begins, the first one being the start. */
  protected abstract void part(int number, String line);

  /** Prints a progress line. */
  protected abstract void say(String line);

  /** Whether ARM has accepted a write of the change's pool since. */
  protected abstract boolean accepted(Change change);

  /** Adds a fault rule with these members to the ARM simulator. */
  protected abstract void inject(Map<String, ?> members) throws InterruptedException;

  /** Waits until shortly before ARM takes all calls again, as it has said. */
  protected abstract void awaitOpening(Duration before) throws InterruptedException;

  /** Removes all fault rules. */
  protected abstract void clearFaults() throws InterruptedException;

  /** How long a drain waits for the shared Lease. */
  protected abstract Duration drainWait();

  /** How often the controller is to be killed. */
  protected abstract int kills();

  /** Kills the controller, which is a process of its own. */
  protected abstract void killController() throws InterruptedException;

  /** Starts the controller that was killed. */
  protected abstract void startController() throws InterruptedException;

  /** Stops the controller and starts another one. */
  protected abstract void restartController() throws InterruptedException;

  /** Waits until as many events on Nodes were reported as the ledger has. */
  protected abstract void awaitNodeEvents() throws InterruptedException;

  /** Waits; throws if the rehearsal is interrupted. */
  protected abstract void pause(Duration time) throws InterruptedException;

  /** Waits until as many retries of the Service were reported as the ledger has. */
  protected abstract void awaitRetries(Spec spec) throws InterruptedException;

  /** Waits until something is so, or prints that it took too long. */
  protected abstract void await(String what, BooleanSupplier wanted) throws InterruptedException;

  /** Waits until every bound pool, and the status of every binding, is correct. */
  protected abstract void awaitBindings() throws InterruptedException;

  /** Waits until every pool is correct, or prints that it took too long. */
  protected abstract void converge() throws InterruptedException;

  /** Waits until all writes, failures and expected retries have been reported. */
  protected abstract void settle() throws InterruptedException;

  /**
   * Waits until no pool was written for an interval, so that the next change follows a quiet
   * interval.
   */
  protected abstract void quiet() throws InterruptedException;
}
