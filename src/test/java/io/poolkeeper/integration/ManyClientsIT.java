package io.poolkeeper.integration;

import static io.poolkeeper.integration.GuardedArm.done;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.ArmSim;
import io.poolkeeper.armsim.ArmSimSettings;
import io.poolkeeper.armsim.model.PoolMember;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Two hundred concurrent clients that read, change, write with the etag and poll the operation. No
 * acknowledged write is lost.
 */
class ManyClientsIT {
  private static final int CLIENTS = 200;
  private static final int BALANCERS = 10;
  private static final int WRITES = 2;
  private static final int MAX_ATTEMPTS = 2_000;
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String VERSION = "?api-version=2025-05-01";
  private static final String GROUP = "/subscriptions/s/resourceGroups/rg";
  private static final JsonMapper JSON = new JsonMapper();

  private final ActorSystem<Void> system = ActorSystem.create(Behaviors.empty(), "many-clients");
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final AtomicInteger conflicts = new AtomicInteger();
  private ArmSim sim;

  @BeforeEach
  void start() throws Exception {
    sim = done(ArmSim.start(system, ArmSimSettings.fast(System::nanoTime, InstantSource.system())));
    send("PUT", GROUP + VERSION, "{\"location\":\"eastus\"}", "");
    for (int balancer = 0; balancer < BALANCERS; balancer++) {
      send("PUT", id(balancer).path() + VERSION, "{\"location\":\"eastus\"}", "");
    }
  }

  @AfterEach
  void stop() {
    http.shutdownNow();
    done(sim.close());
    system.terminate();
    done(system.getWhenTerminated());
  }

  private static LoadBalancerId id(int balancer) {
    return new LoadBalancerId("s", "rg", "lb-" + balancer);
  }

  @Test
  void noAcknowledgedUpdateOfASharedPoolIsLost() throws Exception {
    Map<PoolId, Set<String>> acknowledged = run(client -> id(client % BALANCERS).pool("shared"));

    assertThat(acknowledged).hasSize(BALANCERS);
    acknowledged.forEach((pool, names) -> assertThat(names(pool)).isEqualTo(names));
    assertThat(conflicts).as("they did meet").hasPositiveValue();
  }

  @Test
  void noAcknowledgedUpdateOfAPoolOfOnesOwnIsLost() throws Exception {
    Map<PoolId, Set<String>> acknowledged =
        run(client -> id(client % BALANCERS).pool("own-" + client));

    assertThat(acknowledged).hasSize(CLIENTS);
    acknowledged.forEach((pool, names) -> assertThat(names(pool)).isEqualTo(names));
  }

  private Set<String> names(PoolId pool) {
    return new TreeSet<>(sim.pool(pool).orElseThrow().stream().map(PoolMember::name).toList());
  }

  private interface Place {
    PoolId of(int client);
  }

  /** The entries that were acknowledged to each client. */
  private Map<PoolId, Set<String>> run(Place place) throws Exception {
    Map<PoolId, Set<String>> acknowledged = new HashMap<>();
    List<Future<Set<String>>> running = new ArrayList<>();
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int client = 0; client < CLIENTS; client++) {
        int number = client;
        running.add(clients.submit(() -> client(number, place.of(number))));
      }
      for (int client = 0; client < CLIENTS; client++) {
        acknowledged
            .computeIfAbsent(place.of(client), pool -> new TreeSet<>())
            .addAll(running.get(client).get(120, TimeUnit.SECONDS));
      }
    }
    return acknowledged;
  }

  private Set<String> client(int client, PoolId pool) throws Exception {
    Set<String> written = new TreeSet<>();
    for (int write = 0; write < WRITES; write++) {
      String name = "c%d-%d".formatted(client, write);
      int attempts = 0;
      while (!added(pool, name, "10.%d.%d.%d".formatted(write, client / 100, client % 100))) {
        conflicts.incrementAndGet();
        assertThat(++attempts).as("attempts of %s", name).isLessThan(MAX_ATTEMPTS);
      }
      written.add(name);
    }
    return written;
  }

  /** Whether ARM has acknowledged the entry in the pool; if not, it has to be retried. */
  private boolean added(PoolId pool, String name, String address) throws Exception {
    HttpResponse<String> read = send("GET", pool.path() + VERSION, "", "");
    if (read.statusCode() == 404) {
      // Its creation is made with the etag of a load balancer that was read without it.
      read = send("GET", pool.loadBalancer().path() + VERSION, "", "");
      if (read.body().contains("/backendAddressPools/" + pool.name() + "\"")) {
        return false;
      }
      return written(pool, JSON.createObjectNode(), name, address, read);
    }
    return written(pool, (ObjectNode) JSON.readTree(read.body()), name, address, read);
  }

  private boolean written(
      PoolId pool, ObjectNode document, String name, String address, HttpResponse<String> read)
      throws Exception {
    ArrayNode entries =
        document.withObject("/properties").withArray("loadBalancerBackendAddresses");
    for (JsonNode entry : entries) {
      if (entry.path("name").asText().equals(name)) {
        return true; // superseded, but by a client that had read it
      }
    }
    entries.addObject().put("name", name).putObject("properties").put("ipAddress", address);
    HttpResponse<String> put =
        send(
            "PUT",
            pool.path() + VERSION,
            document.toString(),
            read.headers().firstValue("ETag").orElseThrow());
    if (put.statusCode() != 200 && put.statusCode() != 201) {
      assertThat(put.statusCode()).as(put.body()).isIn(409, 412, 429);
      return false;
    }
    String poll = put.headers().firstValue("Azure-AsyncOperation").orElseThrow();
    return finished(poll);
  }

  private boolean finished(String poll) throws Exception {
    for (int polls = 0; polls < MAX_ATTEMPTS; polls++) {
      String status = JSON.readTree(send("GET", poll, "", "").body()).path("status").asText();
      if (!status.equals("InProgress")) {
        return status.equals("Succeeded");
      }
    }
    throw new AssertionError("no end of " + poll);
  }

  private HttpResponse<String> send(String method, String target, String body, String ifMatch)
      throws Exception {
    String url = target.startsWith("http") ? target : sim.endpoint() + target;
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url))
            .timeout(PATIENCE)
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (!ifMatch.isEmpty()) {
      request.header("If-Match", ifMatch);
    }
    return http.send(request.build(), BodyHandlers.ofString());
  }
}
