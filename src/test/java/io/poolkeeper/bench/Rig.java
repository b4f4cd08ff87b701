package io.poolkeeper.bench;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.poolkeeper.armsim.ArmLogEntry;
import io.poolkeeper.armsim.ArmSim;
import io.poolkeeper.armsim.ArmSimSettings;
import io.poolkeeper.armsim.LatencyProfile;
import io.poolkeeper.lab.cluster.EmbeddedCluster;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.slf4j.LoggerFactory;

/**
 * An API server and ARM in this process, for a controller in a process of its own.
 *
 * @param directory of the controller's configuration and log
 */
record Rig(EmbeddedCluster cluster, ArmSim arm, KubernetesClient client, Path directory) {
  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final CountDownLatch NEVER = new CountDownLatch(1);

  static Rig start(LatencyProfile latency) throws Exception {
    LoggerFactory.getILoggerFactory(); // one thread finds the logging, before there are many
    ActorSystem<Void> system = ActorSystem.create(Behaviors.empty(), "bench");
    ArmSimSettings settings =
        ArmSimSettings.fast(System::nanoTime, InstantSource.system()).withLatency(latency);
    ArmSim arm = ArmSim.start(system, settings).toCompletableFuture().get(30, TimeUnit.SECONDS);
    EmbeddedCluster cluster = EmbeddedCluster.start(0);
    Config config = Config.fromKubeconfig(cluster.kubeconfigYaml());
    config.setHttp2Disable(true);
    KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build();
    return new Rig(cluster, arm, client, Files.createTempDirectory("bench"));
  }

  /**
   * Starts a controller.
   *
   * @param options of its JVM
   * @param rateLimiter settings of that section
   */
  ControllerProcess start(LargeWorld world, List<String> options, String rateLimiter)
      throws IOException {
    Path kubeconfig = Files.writeString(directory.resolve("kubeconfig"), cluster.kubeconfigYaml());
    int port = freePort();
    Path config =
        Files.writeString(
            directory.resolve("poolkeeper.conf"), world.configuration(port, rateLimiter));
    return ControllerProcess.start(options, kubeconfig, config, port);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /** The accepted writes of pools. */
  List<ArmLogEntry> puts() {
    return arm.log().stream()
        .filter(entry -> entry.write().isPresent() && entry.acceptedNanos().isPresent())
        .toList();
  }

  long gets() {
    return arm.log().stream()
        .filter(entry -> entry.method().equals("GET"))
        .filter(entry -> entry.path().contains("/backendAddressPools/"))
        .count();
  }

  /** Waits until all entries of nodes are Down in ARM, or none is; asks no controller. */
  void awaitStates(List<Integer> nodes, boolean down) throws InterruptedException {
    Set<String> names = nodes.stream().map(node -> "node-" + node).collect(Collectors.toSet());
    await(
        () ->
            arm.pools().values().stream()
                .flatMap(List::stream)
                .filter(member -> names.contains(member.name()))
                .allMatch(member -> member.adminState().equals(Optional.of("Down")) == down));
  }

  static void await(BooleanSupplier condition) throws InterruptedException {
    long until = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > until) {
        throw new IllegalStateException("not within " + PATIENCE);
      }
      pause(Duration.ofMillis(50));
    }
  }

  static void pause(Duration time) throws InterruptedException {
    if (NEVER.await(time.toNanos(), TimeUnit.NANOSECONDS)) {
      throw new IllegalStateException("the latch was counted down");
    }
  }

  static String loadAverage() throws IOException {
    return Files.readString(Path.of("/proc/loadavg")).strip();
  }

  static void say(String line) {
    System.out.println(line);
  }
}
