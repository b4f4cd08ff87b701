package io.poolkeeper.integration;

import static io.poolkeeper.integration.ControllerFixture.LB;
import static io.poolkeeper.integration.ControllerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.poolkeeper.integration.SimulatedArm.Seed;
import io.poolkeeper.kube.binding.BackendPoolBinding;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A tenant of the namespace {@code team}, with the built-in role {@code edit} and all verbs on
 * bindings there, on a real API server with the shipped manifests. Whatever they try, the nodes and
 * the pools of the namespace {@code team-web} are not theirs.
 */
@Tag("real-apiserver")
class RealHostileTenantIT {
  @TempDir static Path directory;
  private static TwoTenants cluster;
  private static KubernetesClient admin;
  private static KubernetesClient mallory;

  private final ControllerFixture fixture = new ControllerFixture();

  @BeforeAll
  static void install() throws IOException, InterruptedException {
    cluster = new TwoTenants(directory);
    admin = cluster.admin;
    mallory = cluster.mallory;
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @BeforeEach
  void fill() {
    cluster.fill();
  }

  @AfterEach
  void empty() throws IOException {
    try (fixture) {
      cluster.empty();
    }
  }

  private void start(String settings) throws IOException {
    fixture.startController(cluster.controller(), settings);
    fixture.awaitReady();
  }

  /** The Event of the attack; anybody may say that it is about any Node. */
  private static void forge(KubernetesClient by, String namespace, String node) {
    String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    by.resource(
            """
            apiVersion: v1
            kind: Event
            metadata: {name: forged-%1$s, namespace: %2$s}
            involvedObject: {kind: Node, name: %1$s, namespace: %2$s}
            reason: PreemptScheduled
            message: "Preempt Scheduled: Fri, 28 Nov 2036 10:13:13 GMT. EventId: %1$s"
            type: Warning
            source: {component: node-problem-detector, host: %1$s}
            firstTimestamp: %3$s
            lastTimestamp: %3$s
            """
                .formatted(node, namespace, now))
        .create();
  }

  private String metrics() {
    return fixture.get("/metrics").body();
  }

  @Test
  void eventsOfTheirNamespace_areCounted_andTaintNothing() throws IOException {
    fixture.arm.put(LB, cluster.pool("team-web-api", "team-web/api"));
    start("");
    fixture.awaitMembers(LB, "team-web-api", Map.of("10.0.0.1", "n1"));

    TwoTenants.nodes().forEach(node -> forge(mallory, "team", node));

    eventually(
        () ->
            assertThat(metrics())
                .contains("poolkeeper_preempt_events_ignored_total{reason=\"namespace\"} 40.0"));
    assertThat(cluster.tainted()).isZero();
    assertThat(fixture.get("/api/v1/nodes").body()).isEqualTo("[]");
    assertThat(fixture.arm.document(LB, "team-web-api").toString()).doesNotContain("Down");
  }

  @Test
  void eventsOfANamespaceThatCounts_taintAThird_andTheRestIsShown() throws IOException {
    fixture.arm.put(LB, cluster.pool("team-web-api", "team-web/api"));
    start("poolkeeper.spot.event-namespaces = [default, team]");

    TwoTenants.nodes().forEach(node -> forge(mallory, "team", node));

    eventually(() -> assertThat(metrics()).contains("\npoolkeeper_preemptions_waiting 27.0\n"));
    eventually(() -> assertThat(cluster.tainted()).isEqualTo(13));
    JsonNode status = fixture.get("/api/v1/status").json();
    assertThat(status.path("headline").toString()).contains("Events announce the eviction of n");
    assertThat(fixture.get("/api/v1/nodes/n40").json().path("state").asText()).isEqualTo("Waiting");
  }

  /** All that the role allows which Poolkeeper, or a cloud provider beside it, might read. */
  private static final String OBJECTS =
      """
      {apiVersion: v1, kind: Service, metadata: {name: web-api, namespace: team,
        annotations: {poolkeeper.io/manage: "false"}},
        spec: {type: LoadBalancer, externalTrafficPolicy: Local, ports: [{port: 80}]}}
      {apiVersion: v1, kind: ConfigMap, metadata: {name: poolkeeper, namespace: team},
        data: {poolkeeper.conf: "poolkeeper.mode = shadow"}}
      {apiVersion: v1, kind: Secret, metadata: {name: poolkeeper, namespace: team},
        stringData: {AZURE_CLIENT_SECRET: x}}
      {apiVersion: v1, kind: Pod, metadata: {name: poolkeeper-0, namespace: team,
        labels: {app.kubernetes.io/name: poolkeeper}},
        spec: {nodeName: n1, containers: [{name: c, image: c}]}}
      {apiVersion: v1, kind: Event, metadata: {name: failed, namespace: team},
        involvedObject: {kind: Service, name: web-api, namespace: team},
        reason: SyncLoadBalancerFailed, message: "TooManyRequests", type: Warning,
        source: {component: service-controller}}
      {apiVersion: v1, kind: Event, metadata: {name: updated, namespace: team},
        involvedObject: {kind: Service, name: api, namespace: team},
        reason: LoadBalancerBackendPoolUpdated, message: "x", type: Normal,
        source: {component: cloud-provider-azure}}
      {apiVersion: v1, kind: Event, metadata: {name: nameless, namespace: team},
        involvedObject: {kind: Node, namespace: team}, reason: PreemptScheduled}
      """;

  /** What the role does not allow, so that the API server is seen to ask. */
  private static final String FORBIDDEN =
      """
      {apiVersion: v1, kind: Node, metadata: {name: mine}}
      {apiVersion: v1, kind: Namespace, metadata: {name: mine}}
      {apiVersion: v1, kind: Event, metadata: {name: e, namespace: default},
        involvedObject: {kind: Node, name: n1}, reason: PreemptScheduled}
      {apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: {name: s, namespace: team},
        addressType: IPv4, endpoints: []}
      {apiVersion: coordination.k8s.io/v1, kind: Lease,
        metadata: {name: poolkeeper-leader, namespace: poolkeeper}}
      """;

  private static Stream<String> objects(String all) {
    return Stream.of(all.split("\n(?=\\{)", -1)).map("---\n"::concat);
  }

  /** The pool is named as that of team-web/api is; and a rule of either sends to it. */
  @Test
  void allThatTheyMayCreate_changesNoPoolOfAnother() throws IOException {
    objects(FORBIDDEN)
        .forEach(
            object ->
                assertThatThrownBy(() -> mallory.resource(object).create())
                    .as(object)
                    .isInstanceOf(KubernetesClientException.class)
                    .hasStackTraceContaining("forbidden"));
    objects(OBJECTS).forEach(object -> mallory.resource(object).create());
    fixture.arm.put(LB, cluster.pool("team-web-api", "team-web/api", "team/web-api"));
    start("");
    fixture.awaitMembers(LB, "team-web-api", Map.of("10.0.0.1", "n1"));
    // Addresses of endpoints are of pods, and nodes are known by their Node objects alone.
    cluster.slice("team", "web-api", "elsewhere.example.net", "8.8.8.8");

    cluster.slice("team-web", "api", "n3");

    fixture.awaitMembers(LB, "team-web-api", Map.of("10.0.0.3", "n3"));
    assertThat(cluster.tainted()).isZero();
    assertThat(fixture.get("/readyz").json().has("paused")).isFalse();
    for (String namespace : List.of("team", "team-web")) {
      assertThat(admin.v1().events().inNamespace(namespace).list().getItems())
          .filteredOn(event -> "ManageIgnored".equals(event.getReason()))
          .singleElement()
          .satisfies(
              event -> assertThat(event.getMessage()).contains("[team/web-api, team-web/api]"));
    }
  }

  /** Without the policy, which {@code RealBindingPolicyIT} tries, a finalizer may be forged. */
  @Test
  void bindingsToPoolsElsewhere_areNeverRead_norIsTextForAShellTaken() throws IOException {
    fixture.arm.put(LB, cluster.pool("team-web-api", "team-web/api"));
    start("");
    fixture.awaitMembers(LB, "team-web-api", Map.of("10.0.0.1", "n1"));
    int mark = fixture.arm.mark();
    String balancer =
        "/subscriptions/%s/resourceGroups/%s/providers/Microsoft.Network/loadBalancers/";

    assertThatThrownBy(() -> bind("shell", balancer.formatted("s", "$(curl x)")))
        .hasStackTraceContaining("names consist of letters");
    bind("subscription", balancer.formatted("victims", SimulatedArm.GROUP));
    bind("group", balancer.formatted(SimulatedArm.SUBSCRIPTION, "victims"));
    bind("managed", balancer.formatted(SimulatedArm.SUBSCRIPTION, SimulatedArm.GROUP));
    mallory.resources(BackendPoolBinding.class).inNamespace("team").delete();

    eventually(
        () ->
            assertThat(
                    mallory
                        .resources(BackendPoolBinding.class)
                        .inNamespace("team")
                        .list()
                        .getItems())
                .isEmpty());
    assertThat(fixture.arm.allPuts(mark)).isEmpty();
    assertThat(fixture.arm.paths(mark)).noneMatch(path -> path.contains("victims"));
  }

  private static void bind(String name, String balancer) {
    mallory
        .resource(
            """
            ---
            apiVersion: poolkeeper.io/v1alpha1
            kind: BackendPoolBinding
            metadata: {name: %s, namespace: team, finalizers: [poolkeeper.io/addresses]}
            spec:
              serviceRef: {name: web}
              backendPool: {id: "%skubernetes/backendAddressPools/team-web-api"}
            """
                .formatted(name, balancer))
        .create();
  }

  /** With 45 pools that change all the time, theirs take every token and permit that there is. */
  @Test
  void theirFlappingPools_delayAnothersChangeByAPermit() throws Exception {
    List<String> names = IntStream.range(0, 45).mapToObj(n -> "flap-" + n).toList();
    names.forEach(name -> cluster.service("team", name, ""));
    fixture.arm.put(
        LB,
        Stream.concat(
                Stream.of(cluster.pool("team-web-api", "team-web/api")),
                names.subList(0, 20).stream()
                    .map(name -> cluster.pool("team-" + name, "team/" + name)))
            .toArray(Seed[]::new));
    fixture.arm.put(
        "Second-LB",
        names.subList(20, 45).stream()
            .map(name -> cluster.pool("team-" + name, "team/" + name))
            .toArray(Seed[]::new));
    start(
        """
        poolkeeper.turnstile.writes { rate = 1.5, burst = 2, initial = 2 }
        poolkeeper.updater.min-interval = 500ms
        """);
    fixture.awaitMembers(LB, "team-web-api", Map.of("10.0.0.1", "n1"));
    for (String name : names) {
      cluster.slice("team", name, "n2");
    }
    eventually(
        () ->
            assertThat(fixture.get("/api/v1/turnstile").json().path("waiting"))
                .hasSizeGreaterThan(30));
    int mark = fixture.arm.mark();

    cluster.slice("team-web", "api", "n3");

    fixture.awaitMembers(LB, "team-web-api", Map.of("10.0.0.3", "n3"));
    List<String> before =
        fixture.arm.allPuts(mark).stream()
            .takeWhile(put -> !put.endsWith("/team-web-api"))
            .toList();
    assertThat(before)
        .as("one turn at the load balancer, and one with the next token")
        .hasSizeLessThan(3);
  }

  /** As the detector writes them; a machine has 30 s. */
  @Test
  void conditionsOfThirtyNodesAtOnce_setAllOfThemDown() throws IOException {
    String[] spot = TwoTenants.nodes().limit(30).toArray(String[]::new);
    cluster.slice("team-web", "api", spot);
    fixture.arm.put(LB, cluster.pool("team-web-api", "team-web/api"));
    start("");
    eventually(() -> assertThat(fixture.arm.members(LB, "team-web-api")).hasSize(30));
    int mark = fixture.arm.mark();

    for (String node : spot) {
      admin
          .nodes()
          .withName(node)
          .editStatus(
              now ->
                  now.edit()
                      .editStatus()
                      .addNewCondition()
                      .withType("PreemptionScheduled")
                      .withStatus("True")
                      .withReason("SpotEvictionIncoming")
                      .withMessage("Preempt Scheduled: Fri, 28 Nov 2036 10:13:13 GMT.")
                      .endCondition()
                      .endStatus()
                      .build());
    }

    eventually(() -> assertThat(down("team-web-api")).hasSize(30));
    assertThat(fixture.arm.puts(LB, "team-web-api", mark)).hasSizeLessThan(15);
  }

  private List<String> down(String pool) {
    List<String> down = new ArrayList<>();
    fixture
        .arm
        .document(LB, pool)
        .path("properties")
        .path("loadBalancerBackendAddresses")
        .forEach(
            entry -> {
              if (entry.path("properties").path("adminState").asText().equals("Down")) {
                down.add(entry.path("name").asText());
              }
            });
    return down;
  }
}
