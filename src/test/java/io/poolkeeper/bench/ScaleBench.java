package io.poolkeeper.bench;

import io.poolkeeper.armsim.LatencyProfile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What a large cluster costs: 1,000 pools on 10 load balancers with 100,000 endpoints on 1,000
 * nodes in this process, and the controller in a process of its own, on its shipped defaults but
 * for the rate of writes. Prints the time to ready, RSS, heap, CPU when idle, how long single
 * changes take from the API server's acceptance to ARM's, and what is left in memory when every
 * Service has changed and every pool was read. Arguments are further options of the controller's
 * JVM.
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
  private static final int SERVICES = 1000;
  private static final int NODES = 1000;
  private static final String FAST = "writes { rate = 100, burst = 1000, initial = 1000 }";
  private static final int CHANGES = 50;
  private static final Duration BETWEEN_CHANGES = Duration.ofMillis(250);

  private final Rig rig;
  private final LargeWorld world;

  private ScaleBench(Rig rig) {
    this.rig = rig;
    this.world =
        new LargeWorld(rig.client(), rig.arm().endpoint(), SERVICES, NODES, ScaleBench::nodes);
  }

  /** Service i is on the 100 nodes from node i on. */
  private static IntStream nodes(int service, int moved) {
    int first = service + moved;
    return IntStream.range(first, first + 100).map(node -> node % NODES);
  }

  /** Measures once and prints. */
  public static void main(String[] options) throws Exception {
    new ScaleBench(Rig.start(LatencyProfile.FAST)).measure(List.of(options));
    Runtime.getRuntime().halt(0);
  }

  private void measure(List<String> options) throws Exception {
    Rig.say("load average before: " + Rig.loadAverage());
    long begin = System.nanoTime();
    world.seed();
    Rig.say("seeded in %.1f s".formatted(seconds(begin)));
    Rig.say("the controller's log: " + rig.directory().resolve("log"));
    try (ControllerProcess controller = rig.start(world, options, FAST)) {
      long started = System.nanoTime();
      Rig.await(controller::ready);
      Rig.say("ready after %.2f s".formatted(seconds(started)));
      Rig.await(() -> controller.pools() == SERVICES);
      Rig.say("all %d pools assigned after %.2f s".formatted(controller.pools(), seconds(started)));
      Rig.pause(Duration.ofSeconds(5));
      Rig.say("%d pools read after the start, %d written".formatted(rig.gets(), rig.puts().size()));
      Rig.say(
          "CPU since start: %.1f s, RSS %d MiB"
              .formatted(controller.cpuSeconds(), controller.rss()));
      controller.collectGarbage();
      Rig.say(
          "after a GC: heap used %d MiB, RSS %d MiB"
              .formatted(controller.heap(), controller.rss()));
      double cpu = controller.cpuSeconds();
      Rig.pause(IDLE);
      Rig.say(
          "idle for %d s: CPU %.2f s".formatted(IDLE.toSeconds(), controller.cpuSeconds() - cpu));
      change();
      changeAll();
      Rig.say("RSS %d MiB, load average %s".formatted(controller.rss(), Rig.loadAverage()));
      controller.collectGarbage();
      Rig.say(
          "after a GC: heap used %d MiB, RSS %d MiB, at most %d MiB"
              .formatted(controller.heap(), controller.rss(), controller.peakRss()));
    }
  }

  /** Single changes, each of a pool that was quiet for long. */
  private void change() throws InterruptedException {
    List<Long> accepted = new ArrayList<>();
    int before = rig.puts().size();
    for (int i = 0; i < CHANGES; i++) {
      accepted.add(world.move(changed(i), 1));
      Rig.pause(BETWEEN_CHANGES);
    }
    Rig.await(() -> rig.puts().size() >= before + CHANGES);
    List<Long> millis = new ArrayList<>();
    for (int i = 0; i < CHANGES; i++) {
      String pool = LargeWorld.pool(changed(i));
      long put =
          rig.puts().stream()
              .filter(entry -> entry.write().orElseThrow().pool().name().equals(pool))
              .mapToLong(entry -> entry.acceptedNanos().orElseThrow())
              .min()
              .orElseThrow();
      millis.add((put - accepted.get(i)) / 1_000_000);
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
    Rig.await(() -> rig.gets() >= read + SERVICES);
    Rig.pause(Duration.ofSeconds(5));
    Rig.say(
        "all changed: %d pools read, %d written"
            .formatted(rig.gets() - read, rig.puts().size() - written));
  }

  /** The Service of the i-th change: on another load balancer each time. */
  private static int changed(int i) {
    return i * (SERVICES / CHANGES) + i % LargeWorld.LOAD_BALANCERS;
  }

  private static double seconds(long since) {
    return (System.nanoTime() - since) / 1e9;
  }
}
