package io.poolkeeper.bench;

import io.poolkeeper.armsim.LatencyProfile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What a cluster costs: 1,000 pools on 10 load balancers with 100,000 endpoints on 1,000 nodes in
 * this process, and the controller in a process of its own, on its shipped defaults but for the
 * rate of writes. Prints time and CPU to ready, RSS, heap, CPU when idle, CPU of a burst and of
 * single changes, how long these take from the API server's acceptance to ARM's, and what is left
 * in memory when every Service has changed and every pool was read. Arguments are three numbers
 * (Services, nodes, endpoints of each Service), if another size is wanted, and further options of
 * the controller's JVM.
 *
 * <pre>
 * mvn -q -B verify -Dquick
 * java --sun-misc-unsafe-memory-access=allow \
 *   -cp "target/test-classes:target/classes:target/lib/*:target/lab-lib/*" \
 *   io.poolkeeper.bench.ScaleBench
 * </pre>
 */
public final class ScaleBench {
  private static final Duration IDLE = Duration.ofSeconds(60);
  private static final int BURST = 40;
  private static final String FAST = "writes { rate = 100, burst = 1000, initial = 1000 }";
  private static final int CHANGES = 20;
  private static final Duration BETWEEN_CHANGES = Duration.ofMillis(500);

  /** Longer than a pool's shortest interval, and than looks at it after a write. */
  private static final Duration QUIET = Duration.ofSeconds(40);

  private final Rig rig;
  private final LargeWorld world;
  private final int services;

  /** Service i is on as many nodes from node i on. */
  private ScaleBench(Rig rig, int services, int nodes, int endpoints) {
    this.rig = rig;
    this.services = services;
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
      Rig.say(
          "ready after %.2f s, CPU %.2f s".formatted(seconds(started), controller.cpuSeconds()));
      Rig.await(() -> controller.pools() == services);
      Rig.say("all %d pools assigned after %.2f s".formatted(controller.pools(), seconds(started)));
      Rig.pause(Duration.ofSeconds(5));
      Rig.say("%d pools read after the start, %d written".formatted(rig.gets(), rig.puts().size()));
      Rig.say(
          "CPU since start: %.1f s, RSS %d MiB"
              .formatted(controller.cpuSeconds(), controller.rss()));
      double cpu = controller.cpuSeconds();
      Rig.pause(IDLE);
      Rig.say(
          "idle for %d s: CPU %.2f s".formatted(IDLE.toSeconds(), controller.cpuSeconds() - cpu));
      burst(controller);
      Rig.pause(QUIET);
      cpu = controller.cpuSeconds();
      change();
      Rig.say("CPU of these: %.2f s".formatted(controller.cpuSeconds() - cpu));
      controller.collectGarbage();
      Rig.say(
          "after a GC: heap used %d MiB, RSS %d MiB"
              .formatted(controller.heap(), controller.rss()));
      changeAll();
      Rig.say("RSS %d MiB, load average %s".formatted(controller.rss(), Rig.loadAverage()));
      controller.collectGarbage();
      Rig.say(
          "after a GC: heap used %d MiB, RSS %d MiB, at most %d MiB"
              .formatted(controller.heap(), controller.rss(), controller.peakRss()));
    }
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

  /** Single changes, each of a pool that was quiet for long. */
  private void change() throws InterruptedException {
    List<Long> accepted = new ArrayList<>();
    int before = rig.puts().size();
    for (int i = 0; i < CHANGES; i++) {
      accepted.add(world.move(changed(i), 2));
      Rig.pause(BETWEEN_CHANGES);
    }
    Rig.await(() -> rig.puts().size() >= before + CHANGES);
    List<Long> millis = new ArrayList<>();
    for (int i = 0; i < CHANGES; i++) {
      String pool = LargeWorld.pool(changed(i));
      long since = accepted.get(i);
      long put =
          rig.puts().stream()
              .filter(entry -> entry.write().orElseThrow().pool().name().equals(pool))
              .mapToLong(entry -> entry.acceptedNanos().orElseThrow())
              .filter(at -> at > since)
              .min()
              .orElseThrow();
      millis.add((put - since) / 1_000_000);
    }
    List<Long> sorted = millis.stream().sorted().toList();
    Rig.say(
        "%d single changes, API server accepted -> ARM accepted: p50 %d ms, p99 %d ms, max %d ms"
            .formatted(
                CHANGES,
                sorted.get(CHANGES / 2 - 1),
                sorted.get((int) Math.ceil(CHANGES * 0.99) - 1),
                sorted.getLast()));
  }

  /** Every Service, each after the cloud provider has written its pool: it is read, and right. */
  private void changeAll() throws Exception {
    int written = rig.puts().size();
    long read = rig.gets();
    world.changeAll();
    Rig.await(() -> rig.gets() >= read + services);
    Rig.pause(Duration.ofSeconds(5));
    Rig.say(
        "all changed: %d pools read, %d written"
            .formatted(rig.gets() - read, rig.puts().size() - written));
  }

  /** The Service of the i-th change: on another load balancer each time. */
  private int changed(int i) {
    return (i * (services / CHANGES) + i % LargeWorld.LOAD_BALANCERS) % services;
  }

  private static double seconds(long since) {
    return (System.nanoTime() - since) / 1e9;
  }
}
