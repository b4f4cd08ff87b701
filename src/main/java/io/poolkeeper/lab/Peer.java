package io.poolkeeper.lab;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.poolkeeper.lab.Blueprint.Spec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.ObjIntConsumer;

/**
 * The other writers, played by the lab: the cloud provider, which writes pools without an etag and
 * then records its event or loses it, and a person in the portal. Their paths begin with a letter
 * in another case than the controller's, so that the simulator's log shows who was there.
 */
public final class Peer implements AutoCloseable {
  /** What its paths begin with; ARM ignores the case. */
  public static final String ROOT = "/Subscriptions/";

  /** What the events of its updater come from. */
  private static final String COMPONENT = "azure-cloud-provider";

  /** And those of its main loop. */
  private static final String MAIN_LOOP = "service-controller";

  private static final String LOCK_FAILED =
      "Error syncing load balancer: failed to ensure load balancer: fail to lock azure resources:"
          + " lease is held by another holder";

  private static final String ADMIN_STATE = "adminState";
  private static final String API = "?api-version=2025-05-01";
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final Duration LOOK_AGAIN = Duration.ofMillis(20);

  private final URI arm;
  private final KubernetesClient cluster;
  private final World world;
  private final InstantSource clock;
  private final HttpClient http = HttpClient.newHttpClient();
  private final ObjectMapper json = new ObjectMapper();
  final PeerLease lease;
  private final Map<Spec, ObjectNode> cache = new HashMap<>();
  private final CountDownLatch never = new CountDownLatch(1);

  /** The cloud provider of a lab's cluster and ARM. */
  Peer(Lab lab) {
    clock = lab.entropy.wall();
    arm = lab.arm().endpoint();
    cluster = lab.cluster.client();
    world = lab.world;
    lease = new PeerLease(cluster, clock, lab.entropy.monotonicNanos());
  }

  /** What it does. */
  interface Work {
    void with(Peer peer) throws InterruptedException;
  }

  /** Does something under the shared Lease, if it can be had at once; returns whether it was. */
  boolean underLease(Work work) throws InterruptedException {
    return underLease(work, false);
  }

  private boolean underLease(Work work, boolean announced) throws InterruptedException {
    boolean taken = lease.lock(announced, cache::clear);
    if (taken) {
      work.with(this);
      lease.unlock();
    }
    return taken;
  }

  /** The same for a Service in its main loop, which records an event about each try. */
  boolean reconcile(Spec spec, Work work) throws InterruptedException {
    boolean taken = underLease(work, true);
    if (taken) {
      say(spec, MAIN_LOOP, "EnsuredLoadBalancer", "Normal", "Ensured load balancer");
    } else {
      say(spec, MAIN_LOOP, "SyncLoadBalancerFailed", "Warning", LOCK_FAILED);
    }
    return taken;
  }

  /** Takes an address out of the IPv4 pool of a Service; returns when the write has ended. */
  void remove(Spec spec, String address) throws InterruptedException {
    edit(spec, address, ArrayNode::remove);
  }

  /** Sets or removes the admin state of an entry; returns when the write has ended. */
  void set(Spec spec, String address, Optional<String> state) throws InterruptedException {
    edit(
        spec,
        address,
        (entries, index) -> {
          ObjectNode properties = (ObjectNode) entries.get(index).path("properties");
          properties.remove(ADMIN_STATE);
          state.ifPresent(to -> properties.put(ADMIN_STATE, to));
        });
  }

  private void edit(Spec spec, String address, ObjIntConsumer<ArrayNode> change)
      throws InterruptedException {
    ObjectNode document = read(spec);
    ArrayNode entries = entries(document);
    for (int i = entries.size() - 1; i >= 0; i--) {
      if (entries.get(i).at("/properties/ipAddress").asText().equals(address)) {
        change.accept(entries, i);
      }
    }
    write(spec, document);
  }

  /** Adds an entry without an admin state to the IPv4 pool of a Service. */
  void add(Spec spec, String name, String address) throws InterruptedException {
    ObjectNode document = read(spec);
    entries(document)
        .addObject()
        .put("name", name)
        .putObject("properties")
        .put("ipAddress", address);
    write(spec, document);
  }

  private static ArrayNode entries(ObjectNode pool) {
    return (ArrayNode) pool.at("/properties/loadBalancerBackendAddresses");
  }

  /** The IPv4 pool of a Service as it is. */
  ObjectNode read(Spec spec) throws InterruptedException {
    return (ObjectNode) send("GET", pool(spec), BodyPublishers.noBody());
  }

  /** The same as it was when it was read first since another client had the Lease. */
  ObjectNode cached(Spec spec) throws InterruptedException {
    ObjectNode known = cache.get(spec);
    if (known == null) {
      known = read(spec);
      cache.put(spec, known);
    }
    return known;
  }

  /** Writes the whole pool, whatever it holds by now; returns when the write has ended. */
  void write(Spec spec, ObjectNode document) throws InterruptedException {
    URI pool = pool(spec);
    awaitEnd(pool, send("PUT", pool, BodyPublishers.ofString(document.toString())));
  }

  /**
   * Writes a whole load balancer with another tag, from a fresh read and with its etag: all in it
   * is {@code Updating} for a while and gets a new etag, and no member changes.
   */
  void touch(String loadBalancer) throws InterruptedException {
    URI uri = uri(loadBalancer, "");
    HttpResponse<String> answer;
    do {
      ObjectNode document = (ObjectNode) send("GET", uri, BodyPublishers.noBody());
      String etag = document.path("etag").asText();
      document.withObject("/tags").put("written", clock.instant().toString());
      BodyPublisher body = BodyPublishers.ofString(document.toString());
      answer = send(request("PUT", uri, body).header("If-Match", etag));
    } while (answer.statusCode() == HttpURLConnection.HTTP_PRECON_FAILED);
    awaitEnd(uri, parsed(answer));
  }

  private void awaitEnd(URI uri, JsonNode written) throws InterruptedException {
    JsonNode now = written;
    // The latch is never counted down.
    while (now.at("/properties/provisioningState").asText().equals("Updating")
        && !never.await(LOOK_AGAIN.toMillis(), TimeUnit.MILLISECONDS)) {
      now = send("GET", uri, BodyPublishers.noBody());
    }
  }

  private URI pool(Spec spec) {
    return uri(spec.loadBalancer(), "/backendAddressPools/" + spec.pool(false));
  }

  private URI uri(String loadBalancer, String part) {
    String path = ArmSeed.loadBalancers().replaceFirst("/s", "/S") + "/" + loadBalancer;
    return URI.create(arm + path + part + API);
  }

  private JsonNode send(String method, URI uri, BodyPublisher body) throws InterruptedException {
    return parsed(send(request(method, uri, body)));
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws InterruptedException {
    try {
      return http.send(request.build(), BodyHandlers.ofString());
    } catch (IOException unreachable) {
      throw new UncheckedIOException("ARM does not answer another writer", unreachable);
    }
  }

  private static HttpRequest.Builder request(String method, URI uri, BodyPublisher body) {
    return HttpRequest.newBuilder(uri)
        .timeout(TIMEOUT)
        .header("Content-Type", "application/json")
        .method(method, body);
  }

  private JsonNode parsed(HttpResponse<String> answer) {
    try {
      if (answer.statusCode() / 100 == 2) {
        return json.readTree(answer.body());
      }
    } catch (JsonProcessingException malformed) {
      throw new IllegalStateException(malformed);
    }
    throw new IllegalStateException("%s: %s".formatted(answer, answer.body()));
  }

  /** Records that it has written a pool of the Service. */
  void announce(Spec spec) {
    String text = "Load balancer backend pool updated successfully";
    say(spec, COMPONENT, "LoadBalancerBackendPoolUpdated", "Normal", text);
  }

  private void say(Spec spec, String component, String reason, String type, String message) {
    String now = clock.instant().toString();
    cluster
        .v1()
        .events()
        .inNamespace(Blueprint.NAMESPACE)
        .resource(
            new EventBuilder()
                .withNewMetadata()
                .withGenerateName(spec.name() + ".")
                .withNamespace(Blueprint.NAMESPACE)
                .endMetadata()
                .withNewInvolvedObject()
                .withKind("Service")
                .withApiVersion("v1")
                .withNamespace(Blueprint.NAMESPACE)
                .withName(spec.name())
                .withUid(world.uid(spec))
                .endInvolvedObject()
                .withReason(reason)
                .withMessage(message)
                .withType(type)
                .withNewSource()
                .withComponent(component)
                .endSource()
                .withFirstTimestamp(now)
                .withLastTimestamp(now)
                .withCount(1)
                .build())
        .create();
  }

  @Override
  public void close() {
    http.close();
  }
}
