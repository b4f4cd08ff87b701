package io.poolkeeper.lab.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.poolkeeper.lab.scenario.Blueprint.Spec;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.ObjIntConsumer;

/**
 * The cloud provider's updater, played by the lab: it reads a pool, takes an address out and writes
 * it back without an etag, and then records its event or loses it. Its paths begin with a letter in
 * another case than the controller's, so that the simulator's log shows who was there.
 */
public final class Peer implements AutoCloseable {
  /** What its paths begin with; ARM ignores the case. */
  public static final String ROOT = "/Subscriptions/";

  /** What its events come from. */
  private static final String COMPONENT = "azure-cloud-provider";

  private static final String ADMIN_STATE = "adminState";
  private static final String API = "?api-version=2025-05-01";
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final URI arm;
  private final KubernetesClient cluster;
  private final InstantSource clock;
  private final HttpClient http = HttpClient.newHttpClient();
  private final ObjectMapper json = new ObjectMapper();

  /** The cloud provider of a cluster and an ARM. */
  public Peer(URI arm, KubernetesClient cluster, InstantSource clock) {
    this.clock = clock;
    this.arm = arm;
    this.cluster = cluster;
  }

  /** Takes an address out of the IPv4 pool of a Service; returns when the write has ended. */
  public void remove(Spec spec, String address) throws IOException, InterruptedException {
    write(spec, address, ArrayNode::remove);
  }

  /** Sets or removes the admin state of an entry; returns when the write has ended. */
  public void set(Spec spec, String address, Optional<String> state)
      throws IOException, InterruptedException {
    write(
        spec,
        address,
        (entries, index) -> {
          ObjectNode properties = (ObjectNode) entries.get(index).path("properties");
          properties.remove(ADMIN_STATE);
          state.ifPresent(to -> properties.put(ADMIN_STATE, to));
        });
  }

  private void write(Spec spec, String address, ObjIntConsumer<ArrayNode> change)
      throws IOException, InterruptedException {
    String path = (ArmSeed.loadBalancers() + "/" + spec.loadBalancer()).replaceFirst("/s", "/S");
    URI pool = URI.create(arm + path + "/backendAddressPools/" + spec.pool(false) + API);
    ObjectNode document = (ObjectNode) send("GET", pool, BodyPublishers.noBody());
    ArrayNode entries = (ArrayNode) document.at("/properties/loadBalancerBackendAddresses");
    for (int i = entries.size() - 1; i >= 0; i--) {
      if (entries.get(i).at("/properties/ipAddress").asText().equals(address)) {
        change.accept(entries, i);
      }
    }
    JsonNode written = send("PUT", pool, BodyPublishers.ofString(document.toString()));
    while (written.at("/properties/provisioningState").asText().equals("Updating")) {
      written = send("GET", pool, BodyPublishers.noBody());
    }
  }

  private JsonNode send(String method, URI pool, BodyPublisher body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(pool)
            .timeout(TIMEOUT)
            .header("Content-Type", "application/json")
            .method(method, body)
            .build();
    HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() / 100 != 2) {
      throw new IOException(method + " " + pool + ": " + answer.statusCode() + answer.body());
    }
    return json.readTree(answer.body());
  }

  /** Records that it has written a pool of the Service. */
  public void say(Spec spec, String uid) {
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
                .withUid(uid)
                .endInvolvedObject()
                .withReason("LoadBalancerBackendPoolUpdated")
                .withMessage("Load balancer backend pool updated successfully")
                .withType("Normal")
                .withNewSource()
                .withComponent(COMPONENT)
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
