package io.poolkeeper.bench;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.poolkeeper.armsim.ArmSim;
import io.poolkeeper.armsim.ArmSimSettings;
import io.poolkeeper.armsim.journal.ArmLogEntry;
import io.poolkeeper.lab.cluster.EmbeddedCluster;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.slf4j.LoggerFactory;

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
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final int CHANGES = 50;
  private static final Duration BETWEEN_CHANGES = Duration.ofMillis(250);

  private final CountDownLatch never = new CountDownLatch(1);
  private final ArmSim arm;
  private final LargeWorld world;
  private final Path directory;
  private final EmbeddedCluster cluster;

  private ScaleBench(EmbeddedCluster cluster, ArmSim arm, KubernetesClient client)
      throws IOException {
    this.cluster = cluster;
    this.arm = arm;
    this.world = new LargeWorld(client, arm.endpoint());
    this.directory = Files.createTempDirectory("scale-bench");
  }

  /** Measures once and prints. */
  public static void main(String[] options) throws Exception {
    LoggerFactory.getILoggerFactory(); // one thread finds the logging, before there are many
    ActorSystem<Void> system = ActorSystem.create(Behaviors.empty(), "bench");
    ArmSimSettings settings = ArmSimSettings.fast(System::nanoTime, InstantSource.system());
    ArmSim arm = ArmSim.start(system, settings).toCompletableFuture().get(30, TimeUnit.SECONDS);
    EmbeddedCluster cluster = EmbeddedCluster.start(0);
    Config config = Config.fromKubeconfig(cluster.kubeconfigYaml());
    config.setHttp2Disable(true);
    try (KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build()) {
      new ScaleBench(cluster, arm, client).measure(List.of(options));
    }
    Runtime.getRuntime().halt(0);
  }

  private void measure(List<String> options) throws Exception {
    say("load average before: " + loadAverage());
    long begin = System.nanoTime();
    world.seed();
    say("seeded in %.1f s".formatted(seconds(begin)));
    say("the controller's log: " + directory.resolve("log"));
    try (ControllerProcess controller = start(options)) {
      long started = System.nanoTime();
      await(controller::ready);
      say("ready after %.2f s".formatted(seconds(started)));
      await(() -> controller.pools() == LargeWorld.SERVICES);
      say("all %d pools assigned after %.2f s".formatted(controller.pools(), seconds(started)));
      pause(Duration.ofSeconds(5));
      say("%d pools read after the start, %d written".formatted(gets(), puts().size()));
      say(
          "CPU since start: %.1f s, RSS %d MiB"
              .formatted(controller.cpuSeconds(), controller.rss()));
      controller.collectGarbage();
      say(
          "after a GC: heap used %d MiB, RSS %d MiB"
              .formatted(controller.heap(), controller.rss()));
      double cpu = controller.cpuSeconds();
      pause(IDLE);
      say("idle for %d s: CPU %.2f s".formatted(IDLE.toSeconds(), controller.cpuSeconds() - cpu));
      change();
      changeAll();
      say("RSS %d MiB, load average %s".formatted(controller.rss(), loadAverage()));
      controller.collectGarbage();
      say(
          "after a GC: heap used %d MiB, RSS %d MiB, at most %d MiB"
              .formatted(controller.heap(), controller.rss(), controller.peakRss()));
    }
  }

  private ControllerProcess start(List<String> options) throws IOException {
    Path kubeconfig = Files.writeString(directory.resolve("kubeconfig"), cluster.kubeconfigYaml());
    int port = freePort();
    Path config =
        Files.writeString(directory.resolve("poolkeeper.conf"), world.configuration(port));
    return ControllerProcess.start(options, kubeconfig, config, port);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /** Single changes, each of a pool that was quiet for long. */
  private void change() throws InterruptedException {
    List<Long> accepted = new ArrayList<>();
    int before = puts().size();
    for (int i = 0; i < CHANGES; i++) {
      accepted.add(world.change(changed(i)));
      pause(BETWEEN_CHANGES);
    }
    await(() -> puts().size() >= before + CHANGES);
    List<Long> millis = new ArrayList<>();
    for (int i = 0; i < CHANGES; i++) {
      String pool = LargeWorld.pool(changed(i));
      long put =
          puts().stream()
              .filter(entry -> entry.write().orElseThrow().pool().name().equals(pool))
              .mapToLong(entry -> entry.acceptedNanos().orElseThrow())
              .min()
              .orElseThrow();
      millis.add((put - accepted.get(i)) / 1_000_000);
    }
    List<Long> sorted = millis.stream().sorted().toList();
    say(
        "%d single changes, API server accepted -> ARM accepted: p50 %d ms, p99 %d ms, max %d ms"
            .formatted(
                CHANGES,
                sorted.get(CHANGES / 2 - 1),
                sorted.get((int) Math.ceil(CHANGES * 0.99) - 1),
                sorted.getLast()));
  }

  /** Every Service, each after the cloud provider has written its pool: it is read, and right. */
  private void changeAll() throws Exception {
    int written = puts().size();
    long read = gets();
    world.changeAll();
    await(() -> gets() >= read + LargeWorld.SERVICES);
    pause(Duration.ofSeconds(5));
    say("all changed: %d pools read, %d written".formatted(gets() - read, puts().size() - written));
  }

  /** The Service of the i-th change: on another load balancer each time. */
  private static int changed(int i) {
    return i * (LargeWorld.SERVICES / CHANGES) + i % LargeWorld.LOAD_BALANCERS;
  }

  private List<ArmLogEntry> puts() {
    return arm.log().stream()
        .filter(entry -> entry.write().isPresent() && entry.acceptedNanos().isPresent())
        .toList();
  }

  private long gets() {
    return arm.log().stream()
        .filter(entry -> entry.method().equals("GET"))
        .filter(entry -> entry.path().contains("/backendAddressPools/"))
        .count();
  }

  private void await(BooleanSupplier condition) throws InterruptedException {
    long until = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > until) {
        throw new IllegalStateException("not within " + PATIENCE);
      }
      pause(Duration.ofMillis(50));
    }
  }

  private void pause(Duration time) throws InterruptedException {
    if (never.await(time.toNanos(), TimeUnit.NANOSECONDS)) {
      throw new IllegalStateException("the latch was counted down");
    }
  }

  private static String loadAverage() throws IOException {
    return Files.readString(Path.of("/proc/loadavg")).strip();
  }

  private static double seconds(long since) {
    return (System.nanoTime() - since) / 1e9;
  }

  private static void say(String line) {
    System.out.println(line);
  }
}
