package io.poolkeeper.bench;

import io.poolkeeper.armsim.ArmLogEntry;
import io.poolkeeper.armsim.LatencyProfile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What a cluster costs: 1,000 pools on 10 load balancers with 100,000 endpoints on 1,000 nodes in
 * this process, and the controller in a process of its own, with the image's options and on its
 * shipped defaults but for the rates of reads and writes. A page is open throughout. Prints what
 * each step costs, which classes hold the memory at the end, and a table of the goals for 5,000
 * pools. Arguments are three numbers (Services, nodes, endpoints of each Service), if another size
 * is wanted, and further options of the controller's JVM. {@code 5000 5000 20} is the size of the
 * goals. To be run at the top of a checkout.
 *
 * <pre>
 * mvn -q -B verify -Dquick
 * java --sun-misc-unsafe-memory-access=allow \
 *   -cp "target/test-classes:target/classes:target/lib/*:target/lab-lib/*" \
 *   io.poolkeeper.bench.ScaleBench
 * </pre>
 */
public final class ScaleBench {
  private static final Duration IDLE = Duration.ofSeconds(30);

  /** What follows the last write of a step belongs to the step. */
  private static final Duration AFTER = Duration.ofSeconds(10);

  private static final int BURST = 40;
  private static final String FAST =
      "writes { rate = 100, burst = 1000, initial = 1000 }, reads { rate = 200, burst = 1000 }";
  private static final int CHANGES = 100;
  private static final Duration BETWEEN_CHANGES = Duration.ofMillis(250);

  /** Nodes that leave at once, each time others. */
  private static final int LEAVING = 100;

  private static final int TIMES = 3;

  /** A rolling restart takes a hundredth of the nodes at a time. */
  private static final int STEPS = 100;

  private static final Duration STEP = Duration.ofMillis(250);

  private static final int CLASSES = 20;

  private final Rig rig;
  private final LargeWorld world;
  private final int services;
  private final int nodes;
  private final List<String> goals = new ArrayList<>();

  /** Service i is on as many nodes from node i on. */
  private ScaleBench(Rig rig, int services, int nodes, int endpoints) {
    this.rig = rig;
    this.services = services;
    this.nodes = nodes;
    this.world =
        new LargeWorld(
            rig.client(),
            rig.arm().endpoint(),
            services,
            nodes,
            (service, moved) ->
                IntStream.range(0, endpoints).map(i -> (service + moved + i) % nodes));
  }

  /** Measures once and prints. */
  public static void main(String[] arguments) throws Exception {
    List<String> given = List.of(arguments);
    int sizes = given.isEmpty() || given.getFirst().startsWith("-") ? 0 : 3;
    List<Integer> size =
        sizes == 0
            ? List.of(1_000, 1_000, 100)
            : given.stream().limit(sizes).map(Integer::valueOf).toList();
    new ScaleBench(Rig.start(LatencyProfile.FAST), size.get(0), size.get(1), size.get(2))
        .measure(given.subList(sizes, given.size()));
    Runtime.getRuntime().halt(0);
  }

  private void measure(List<String> options) throws Exception {
    Rig.say("load average before: " + Rig.loadAverage());
    long begin = System.nanoTime();
    world.seed();
    Rig.say("seeded in %.1f s".formatted(seconds(begin)));
    Rig.say("the controller's log: " + rig.directory().resolve("log"));
    long started = System.nanoTime();
    try (ControllerProcess controller = rig.start(world, options, FAST)) {
      Rig.await(controller::ready);
      goal("ready, s", 8, seconds(started));
      Rig.say("CPU until then %.2f s".formatted(controller.cpuSeconds()));
      try (OpenPage page = controller.openPage()) {
        steps(controller, started);
        Rig.say(page.toString());
      }
      goal("RSS at the end, MiB", 700, (double) controller.rss());
      controller.classes(CLASSES).forEach(Rig::say);
      Rig.say(
          "after a GC: heap used %d MiB, RSS %d MiB; at most it was %d MiB"
              .formatted(controller.heap(), controller.rss(), controller.peakRss()));
    }
    Rig.say("took %.0f s, load average %s".formatted(seconds(begin), Rig.loadAverage()));
    goals.forEach(Rig::say);
  }

  private void steps(ControllerProcess controller, long started) throws Exception {
    Rig.await(() -> controller.pools() == services);
    Rig.say("all %d pools assigned after %.2f s".formatted(services, seconds(started)));
    Rig.pause(AFTER);
    Rig.say("%d pools read after the start, %d written".formatted(rig.gets(), rig.puts().size()));
    double cpu = controller.cpuSeconds();
    Rig.say("CPU since start %.1f s, RSS %d MiB".formatted(cpu, controller.rss()));
    Rig.pause(IDLE);
    goal("idle, % of a core", 1, (controller.cpuSeconds() - cpu) * 100 / IDLE.toSeconds());
    cpu = controller.cpuSeconds();
    change();
    Rig.say("CPU of these: %.2f s".formatted(controller.cpuSeconds() - cpu));
    burst(controller);
    leave(controller);
    restart(controller);
  }

  private void goal(String what, double goal, double measured) {
    String line =
        "%-32s %8.1f, goal %5.0f: %s"
            .formatted(what, measured, goal, measured <= goal ? "met" : "missed");
    Rig.say(line);
    goals.add(line);
  }

  /** Many Services at once. */
  private void burst(ControllerProcess controller) throws Exception {
    double cpu = controller.cpuSeconds();
    int before = rig.puts().size();
    for (int service = 0; service < BURST; service++) {
      world.move(service, 1);
    }
    Rig.await(() -> rig.puts().size() >= before + BURST);
    Rig.pause(Duration.ofSeconds(1));
    Rig.say(
        "burst of %d pools: CPU %.2f s, RSS %d MiB"
            .formatted(BURST, controller.cpuSeconds() - cpu, controller.rss()));
  }

  /** Single changes, each of a pool that was quiet, from the API server's acceptance to ARM's. */
  private void change() throws InterruptedException {
    List<Long> accepted = new ArrayList<>();
    int before = rig.puts().size();
    for (int i = 0; i < CHANGES; i++) {
      accepted.add(world.move(changed(i), 2));
      Rig.pause(BETWEEN_CHANGES);
    }
    Rig.await(() -> rig.puts().size() >= before + CHANGES);
    List<ArmLogEntry> puts = rig.puts();
    List<Double> millis = new ArrayList<>();
    for (int i = 0; i < CHANGES; i++) {
      String pool = LargeWorld.pool(changed(i));
      long since = accepted.get(i);
      long put =
          puts.stream()
              .filter(entry -> entry.write().orElseThrow().pool().name().equals(pool))
              .mapToLong(entry -> entry.acceptedNanos().orElseThrow())
              .filter(at -> at > since)
              .min()
              .orElseThrow();
      millis.add((put - since) / 1e6);
    }
    List<Double> sorted = millis.stream().sorted().toList();
    goal("one change, p50, ms", 150, sorted.get(CHANGES / 2 - 1));
    goal("one change, p99, ms", 400, sorted.get((int) Math.ceil(CHANGES * 0.99) - 1));
  }

  /** Nodes leave together, and from the first request on it takes so long to the first PUT. */
  private void leave(ControllerProcess controller) throws Exception {
    double cpu = controller.cpuSeconds();
    double slowest = 0;
    for (int time = 0; time < TIMES; time++) {
      int first = time * (nodes / TIMES);
      List<Integer> which = IntStream.range(first, first + LEAVING).boxed().toList();
      int before = rig.puts().size();
      long asked = System.nanoTime();
      world.taint(which, true);
      Rig.await(() -> rig.puts().size() > before);
      long put = rig.puts().get(before).acceptedNanos().orElseThrow();
      slowest = Math.max(slowest, (put - asked) / 1e6);
      rig.awaitStates(which, true);
      Rig.say(
          "%d nodes leave: first PUT after %.0f ms, all %d after %.1f s"
              .formatted(LEAVING, (put - asked) / 1e6, rig.puts().size() - before, seconds(asked)));
      world.taint(which, false);
      rig.awaitStates(which, false);
    }
    Rig.pause(AFTER);
    goal(LEAVING + " nodes leave, first PUT, ms", 500, slowest);
    Rig.say("CPU of these: %.2f s".formatted(controller.cpuSeconds() - cpu));
  }

  /** Every node is out of service for a moment, some at a time. */
  private void restart(ControllerProcess controller) throws Exception {
    double cpu = controller.cpuSeconds();
    int before = rig.puts().size();
    long begin = System.nanoTime();
    for (int step = 0; step < STEPS; step++) {
      List<Integer> which =
          IntStream.range(step * nodes / STEPS, (step + 1) * nodes / STEPS).boxed().toList();
      world.taint(which, true);
      Rig.pause(STEP);
      world.taint(which, false);
    }
    double asked = seconds(begin);
    rig.awaitStates(IntStream.range(0, nodes).boxed().toList(), false);
    Rig.say(
        "rolling restart: %d nodes in %.1f s, in Azure after %.1f s, %d writes, RSS %d MiB"
            .formatted(nodes, asked, seconds(begin), rig.puts().size() - before, controller.rss()));
    Rig.pause(AFTER);
    goal("rolling restart, CPU s", 30, controller.cpuSeconds() - cpu);
  }

  /** The Service of the i-th change: on another load balancer each time. */
  private int changed(int i) {
    return (i * (services / CHANGES) + i % LargeWorld.LOAD_BALANCERS) % services;
  }

  private static double seconds(long since) {
    return (System.nanoTime() - since) / 1e9;
  }
}
