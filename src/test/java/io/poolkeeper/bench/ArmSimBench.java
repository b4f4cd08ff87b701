package io.poolkeeper.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.bench.KeepAlive.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the ARM simulator bears, as a process of its own with its clients in this one, on the same
 * machine: requests per second and their latency, and time and memory of 1,000 pools of 100
 * addresses, with and without a state file. Arguments are further options of its JVM.
 *
 * <pre>
 * mvn -q -B verify -Dquick
 * java -cp "target/test-classes:target/classes:target/lib/*:target/lab-lib/*" \
 *   io.poolkeeper.bench.ArmSimBench
 * </pre>
 */
public final class ArmSimBench {
  private static final String GROUP = "/subscriptions/s/resourceGroups/rg";
  private static final String LB = GROUP + "/providers/Microsoft.Network/loadBalancers/lb-";
  private static final String API = "?api-version=2025-05-01";
  private static final String NETWORK =
      GROUP + "/providers/Microsoft.Network/virtualNetworks/aks-vnet-12345678";
  private static final List<Integer> CONNECTIONS = List.of(1, 8, 64);
  private static final Duration WARM_UP = Duration.ofSeconds(8);
  private static final Duration MEASURED = Duration.ofSeconds(10);
  private static final int POOLS = 1_000;
  private static final int BALANCERS = 10;
  private static final int ADDRESSES = 100;
  private static final int MANY_ADDRESSES = 5_000;
  private static final int REPEATS = 30;

  private final ObjectMapper json = new ObjectMapper();
  private final List<String> jvm;

  private ArmSimBench(List<String> jvm) {
    this.jvm = jvm;
  }

  /** One step of a client. */
  @FunctionalInterface
  private interface Step {
    void run(KeepAlive connection, int client, int round) throws IOException;
  }

  /** Measures once and prints. */
  public static void main(String[] options) throws Exception {
    var bench = new ArmSimBench(List.of(options));
    say("load average before: " + Files.readString(Path.of("/proc/loadavg")).strip());
    bench.throughput();
    bench.size();
    Path state = Files.createTempDirectory("arm-sim-bench").resolve("state.json");
    bench.durability(state);
    say("load average after: " + Files.readString(Path.of("/proc/loadavg")).strip());
  }

  private void throughput() throws Exception {
    try (ArmSimProcess sim = ArmSimProcess.start(jvm)) {
      found(sim.endpoint(), CONNECTIONS.getLast());
      byte[][] bodies = {body(ADDRESSES, 0), body(ADDRESSES, 1)};
      for (int client = 0; client < CONNECTIONS.getLast(); client++) {
        cycle(sim.endpoint(), client, bodies[0]);
      }
      Step get = (connection, client, round) -> expect(200, connection.get(pool(0, 0) + API));
      Step put =
          (connection, client, round) ->
              written(connection, pool(client, 0), bodies[(round + 1) % 2]);
      run(sim.endpoint(), 8, WARM_UP, get);
      for (int connections : CONNECTIONS) {
        say("GET of 100 addresses: " + run(sim.endpoint(), connections, MEASURED, get));
      }
      run(sim.endpoint(), 8, WARM_UP, put);
      for (int connections : CONNECTIONS) {
        say("PUT of 100 addresses + poll: " + run(sim.endpoint(), connections, MEASURED, put));
      }
      say("heap %d MiB, RSS %d MiB".formatted(sim.heap(), sim.rss()));
    }
  }

  private void size() throws Exception {
    try (ArmSimProcess sim = ArmSimProcess.start(jvm)) {
      found(sim.endpoint(), BALANCERS);
      say("loaded 1,000 pools of 100 addresses in %.1f s".formatted(load(sim.endpoint())));
      say("heap %d MiB, RSS %d MiB".formatted(sim.heap(), sim.rss()));
      try (var connection = new KeepAlive(sim.endpoint())) {
        say("whole load balancer, GET: " + repeat(() -> connection.get(LB + 0 + API)));
        say("100 addresses among all, GET: " + repeat(() -> connection.get(pool(0, 7) + API)));
        found(sim.endpoint(), BALANCERS + 1);
        byte[][] bodies = {body(MANY_ADDRESSES, 0), body(MANY_ADDRESSES, 1)};
        say("5,000 addresses are %d KiB in a PUT".formatted(bodies[0].length / 1024));
        AtomicInteger round = new AtomicInteger();
        String large = pool(BALANCERS, 0);
        say(
            "5,000 addresses, PUT + poll: "
                + repeat(() -> written(connection, large, bodies[round.getAndIncrement() % 2])));
        say("5,000 addresses, GET: " + repeat(() -> connection.get(large + API)));
      }
    }
  }

  private void durability(Path state) throws Exception {
    try (ArmSimProcess sim = ArmSimProcess.start(jvm, "--state", state.toString())) {
      found(sim.endpoint(), BALANCERS);
      say("with --state: loaded in %.1f s".formatted(load(sim.endpoint())));
      say("state file: %d MiB".formatted(Files.size(state) / (1024 * 1024)));
      byte[][] bodies = {body(ADDRESSES, 2), body(ADDRESSES, 3)};
      AtomicInteger round = new AtomicInteger();
      try (var connection = new KeepAlive(sim.endpoint())) {
        say(
            "with --state, PUT + poll, 1 connection: "
                + repeat(
                    () -> written(connection, pool(0, 0), bodies[round.getAndIncrement() % 2])));
        say("with --state, GET: " + repeat(() -> connection.get(pool(0, 7) + API)));
      }
      Step put =
          (connection, client, times) ->
              written(connection, pool(client, client), bodies[times % 2]);
      say(
          "with --state, PUT + poll: "
              + run(sim.endpoint(), BALANCERS, MEASURED.multipliedBy(2), put));
      say("heap %d MiB, RSS %d MiB".formatted(sim.heap(), sim.rss()));
    }
    long began = System.nanoTime();
    try (ArmSimProcess sim = ArmSimProcess.start(jvm, "--state", state.toString())) {
      say("%s started from it in %.1f s".formatted(sim.endpoint(), seconds(began)));
    }
  }

  /** The group and the load balancers up to a number. */
  private void found(URI endpoint, int balancers) throws IOException {
    try (var connection = new KeepAlive(endpoint)) {
      byte[] body = "{\"location\":\"eastus\"}".getBytes(StandardCharsets.UTF_8);
      connection.put(GROUP + API, body);
      for (int number = 0; number < balancers; number++) {
        connection.put(LB + number + API, body);
      }
    }
  }

  private void cycle(URI endpoint, int balancer, byte[] body) throws IOException {
    try (var connection = new KeepAlive(endpoint)) {
      written(connection, pool(balancer, 0), body);
    }
  }

  /** Each load balancer's pools one after the other, all load balancers at once; in seconds. */
  private double load(URI endpoint) throws IOException, InterruptedException {
    byte[] body = body(ADDRESSES, 0);
    long began = System.nanoTime();
    clients(
        BALANCERS,
        balancer -> {
          try (var connection = new KeepAlive(endpoint)) {
            for (int number = 0; number < POOLS / BALANCERS; number++) {
              written(connection, pool(balancer, number), body);
            }
          }
        });
    return seconds(began);
  }

  private static String pool(int balancer, int number) {
    return LB + balancer + "/backendAddressPools/kubernetes-" + number;
  }

  /** A body as controllers send it, with as many addresses; different for each variant. */
  private byte[] body(int addresses, int variant) throws IOException {
    ObjectNode root = json.createObjectNode();
    ArrayNode entries = root.putObject("properties").putArray("loadBalancerBackendAddresses");
    for (int i = 0; i < addresses; i++) {
      String ip = "10.%d.%d.%d".formatted(variant, i / 250, i % 250 + 4);
      ObjectNode entry = entries.addObject().put("name", "aks-nodepool1-vmss" + i);
      ObjectNode properties = entry.putObject("properties").put("ipAddress", ip);
      properties.putObject("virtualNetwork").put("id", NETWORK);
    }
    return json.writeValueAsBytes(root);
  }

  private static Answer written(KeepAlive connection, String pool, byte[] body) throws IOException {
    Answer accepted = connection.put(pool + API, body);
    if (accepted.status() / 100 != 2) {
      throw new IOException(new String(accepted.body(), StandardCharsets.UTF_8));
    }
    return expect(200, connection.get(accepted.link()));
  }

  private static Answer expect(int status, Answer answer) throws IOException {
    if (answer.status() != status) {
      throw new IOException(new String(answer.body(), StandardCharsets.UTF_8));
    }
    return answer;
  }

  /** The work of one client. */
  @FunctionalInterface
  private interface Client {
    void run(int number) throws IOException;
  }

  private static void clients(int count, Client client) throws InterruptedException {
    var failures = new ConcurrentLinkedQueue<Exception>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int number = i;
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      client.run(number);
                    } catch (IOException | RuntimeException failed) {
                      failures.add(failed);
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    if (!failures.isEmpty()) {
      throw new IllegalStateException(failures.peek());
    }
  }

  private static String run(URI endpoint, int connections, Duration time, Step step)
      throws InterruptedException {
    var nanos = new ConcurrentLinkedQueue<long[]>();
    long began = System.nanoTime();
    clients(
        connections,
        client -> {
          long[] taken = new long[1 << 20];
          int round = 0;
          try (var connection = new KeepAlive(endpoint)) {
            while (System.nanoTime() - began < time.toNanos()) {
              long sent = System.nanoTime();
              step.run(connection, client, round);
              taken[round++] = System.nanoTime() - sent;
            }
          }
          nanos.add(Arrays.copyOf(taken, round));
        });
    double seconds = seconds(began);
    long[] all = nanos.stream().flatMapToLong(Arrays::stream).sorted().toArray();
    return "%d connections: %.0f/s, %s".formatted(connections, all.length / seconds, spread(all));
  }

  /** A single request. */
  @FunctionalInterface
  private interface Call {
    Answer run() throws IOException;
  }

  private static String repeat(Call call) {
    long[] nanos = new long[REPEATS];
    for (int i = 0; i < REPEATS; i++) {
      long sent = System.nanoTime();
      try {
        call.run();
      } catch (IOException failed) {
        throw new UncheckedIOException(failed);
      }
      nanos[i] = System.nanoTime() - sent;
    }
    Arrays.sort(nanos);
    return spread(nanos);
  }

  private static String spread(long[] sorted) {
    return "p50 %.2f ms, p99 %.2f ms, max %.1f ms"
        .formatted(
            sorted[sorted.length / 2] / 1e6,
            sorted[(int) (sorted.length * 0.99)] / 1e6,
            sorted[sorted.length - 1] / 1e6);
  }

  private static double seconds(long since) {
    return (System.nanoTime() - since) / 1e9;
  }

  private static void say(String line) {
    System.out.println(line);
  }
}
