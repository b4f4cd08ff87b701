package io.poolkeeper.integration;

import static io.poolkeeper.integration.ControllerFixture.LB;
import static io.poolkeeper.integration.ControllerFixture.UPDATED;
import static io.poolkeeper.integration.ControllerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.poolkeeper.integration.SimulatedArm.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The ownership of pools, entries of other clients, and changes of both. */
class OwnershipIT {
  private static final Map<String, String> N1 = Map.of("10.0.0.1", "n1");
  private static final Map<String, String> N2 = Map.of("10.0.0.2", "n2");
  private static final Map<String, String> N3 = Map.of("10.0.0.3", "n3");
  private static final Map<String, String> BOTH = Map.of("10.0.0.1", "n1", "10.0.0.2", "n2");

  private static final ControllerFixture fixture = new ControllerFixture();
  private static final Map<String, List<Seed>> seeds = new java.util.TreeMap<>();
  private static String mover = "";
  private static int round;

  @BeforeAll
  static void start() throws Exception {
    for (int node = 1; node <= 3; node++) {
      fixture.cluster.node("n" + node, "10.0.0." + node, "fd00::" + node);
    }
    for (String name : List.of("retyped", "repoliced", "deleted", "open", "nic", "meddled")) {
      seed(LB, Seed.of("shop-" + name, local(name)).holding(N1));
    }
    seed(LB, Seed.of("shop-canary", local("canary")).holding(N1));
    seedKinds();
    seedCollisions();
    String mixed = local("mixed").toUpperCase(Locale.ROOT);
    seed("SECOND-lb", Seed.of("Shop-MIXED", mixed).holding(Map.of("10.0.0.1", "N1")));
    mover = local("mover");
    seed("From", Seed.of("shop-mover", mover).holding(N1));
    seeds.forEach((name, of) -> fixture.arm.put(name, of.toArray(Seed[]::new)));
    fixture.startController(
        """
        poolkeeper.azure.load-balancers = ["kubernetes", "Second-LB", "from", "to"]
        poolkeeper.updater.resync = 10s
        """);
    fixture.awaitReady();
  }

  private static void seed(String loadBalancer, Seed seed) {
    seeds.computeIfAbsent(loadBalancer, name -> new ArrayList<>()).add(seed);
  }

  /** A local Service with an endpoint on n1. */
  private static String local(String name) {
    fixture.cluster.endpoints(name, "n1");
    return fixture.cluster.service(name);
  }

  /** A pool and a rule of each of these on load balancers of both kinds; and both families. */
  private static void seedKinds() {
    fixture.cluster.endpoints("inside", "n1");
    String inside =
        fixture.cluster.service("shop", "inside", service -> SimulatedCluster.internal(service));
    String outside = local("outside");
    for (String loadBalancer : List.of(LB, LB + "-Internal")) {
      seed(loadBalancer, Seed.of("shop-inside", inside));
      seed(loadBalancer, Seed.of("shop-outside", outside));
    }
    fixture.cluster.endpoints("dual", "n1");
    String dual =
        fixture.cluster.service(
            "shop", "dual", service -> SimulatedCluster.families(service, "IPv4", "IPv6"));
    seed(LB, Seed.of("shop-dual", dual).holding(N1));
    seed(LB, new Seed("shop-dual-ipv6", List.of(dual + "-TCP-80-IPv6"), Map.of("fd00::1", "n1")));
  }

  /** Three pairs of Services of which each pair has one name for its pools. */
  private static void seedCollisions() {
    seed(LB, Seed.of("a-b-c", colliding("a", "b-c", "n1")));
    seed("SECOND-lb", Seed.of("a-b-c", colliding("a-b", "c", "n2")));

    String one = colliding("x", "y-z", "n1");
    String other = colliding("x-y", "z", "n2");
    seed(LB, new Seed("x-y-z", List.of(one + "-TCP-80", other + "-TCP-81"), Map.of()));

    seed(LB, Seed.of("p-q-r", colliding("p", "q-r", "n1")));
    colliding("p-q", "r", "n2");
  }

  private static String colliding(String namespace, String name, String node) {
    fixture.cluster.slice(namespace, name + "-1", name, node);
    return fixture.cluster.service(namespace, name, service -> service);
  }

  @AfterEach
  void liftFaults() {
    fixture.arm.liftAll();
  }

  @AfterAll
  static void stop() throws Exception {
    fixture.close();
  }

  /** Waits for a later write of the same load balancer, so that all earlier ones are done. */
  private static void settle() {
    round++;
    fixture.cluster.endpoints("canary", "n" + (2 + round % 2));
    fixture.awaitMembers(LB, "shop-canary", round % 2 == 0 ? N2 : N3);
  }

  @Test
  void aServiceThatIsNoLoadBalancerAnyMoreWhileItsPoolIsWritten() {
    changedUnderItsWrite(
        "retyped",
        now -> now.editSpec().withType("ClusterIP").withExternalTrafficPolicy(null).endSpec());
    fixture.cluster.edit(
        "retyped",
        now ->
            now.editSpec().withType("LoadBalancer").withExternalTrafficPolicy("Local").endSpec());
    fixture.awaitMembers(LB, "shop-retyped", N3);
  }

  @Test
  void aServiceThatIsNotLocalAnyMoreWhileItsPoolIsWritten() {
    changedUnderItsWrite(
        "repoliced", now -> now.editSpec().withExternalTrafficPolicy("Cluster").endSpec());
    fixture.cluster.edit(
        "repoliced", now -> now.editSpec().withExternalTrafficPolicy("Local").endSpec());
    fixture.awaitMembers(LB, "shop-repoliced", N3);
  }

  @Test
  void aServiceThatIsDeletedWhileItsPoolIsWritten() {
    underItsWrite("deleted", () -> fixture.cluster.deleteService("deleted"));
  }

  private static void changedUnderItsWrite(String service, UnaryOperator<ServiceBuilder> change) {
    underItsWrite(service, () -> fixture.cluster.edit(service, change));
  }

  /** The attempt in flight ends, and then neither an event nor a write follows. */
  private static void underItsWrite(String service, Runnable change) {
    String pool = "shop-" + service;
    int mark = fixture.arm.mark();
    fixture.arm.fault("{\"method\":\"PUT\",\"path\":\"/%s$\",\"delayMillis\":700}".formatted(pool));
    fixture.cluster.endpoints(service, "n2");
    eventually(
        () -> assertThat(fixture.pool(LB, pool).path("state").asText()).isEqualTo("Writing"));

    change.run();

    eventually(() -> assertThat(fixture.pool(LB, pool).path("services")).isEmpty());
    assertThat(fixture.arm.members(LB, pool)).as("still being written").isEqualTo(N1);
    fixture.cluster.endpoints(service, "n3");
    fixture.awaitMembers(LB, pool, N2);
    settle();
    assertThat(fixture.arm.puts(LB, pool, mark)).hasSize(1);
    assertThat(fixture.arm.members(LB, pool)).isEqualTo(N2);
    assertThat(fixture.cluster.events(service)).isEmpty();
  }

  @Test
  void poolsOfOneNameAreDistinguishedByTheirRules() {
    fixture.awaitMembers(LB, "a-b-c", N1);
    fixture.awaitMembers("SECOND-lb", "a-b-c", N2);
    // Services with rules for the same pool share it.
    fixture.awaitMembers(LB, "x-y-z", BOTH);
    // A Service without a rule has no pool.
    fixture.awaitMembers(LB, "p-q-r", N1);
    fixture.cluster.slice("p-q", "r-1", "r", "n3");
    settle();
    assertThat(fixture.arm.members(LB, "p-q-r")).isEqualTo(N1);
    fixture.cluster.slice("x-y", "z-1", "z", "n1");
    fixture.awaitMembers(LB, "x-y-z", N1);
  }

  @Test
  void onlyALoadBalancerOfTheRightKindIsWritten() {
    fixture.awaitMembers(LB + "-Internal", "shop-inside", N1);
    fixture.awaitMembers(LB, "shop-outside", N1);
    fixture.cluster.endpoints("inside", "n2");
    fixture.cluster.endpoints("outside", "n2");
    fixture.awaitMembers(LB + "-Internal", "shop-inside", N2);
    fixture.awaitMembers(LB, "shop-outside", N2);
    settle();
    assertThat(fixture.arm.members(LB, "shop-inside")).isEmpty();
    assertThat(fixture.arm.members(LB + "-Internal", "shop-outside")).isEmpty();
  }

  @Test
  void eachFamilyHasItsPool() {
    fixture.cluster.endpoints("dual", "n2", "n3");
    fixture.awaitMembers(LB, "shop-dual", Map.of("10.0.0.2", "n2", "10.0.0.3", "n3"));
    fixture.awaitMembers(LB, "shop-dual-ipv6", Map.of("fd00::2", "n2", "fd00::3", "n3"));
    eventually(
        () ->
            assertThat(fixture.events("dual", UPDATED))
                .singleElement()
                .satisfies(event -> assertThat(event.getCount()).isEqualTo(2)));
  }

  @Test
  void theCaseOfNamesIsNoDifference() {
    assertThat(fixture.arm.puts("SECOND-lb", "Shop-MIXED", 0)).isEmpty();
    fixture.cluster.endpoints("mixed", "n1", "n2");
    fixture.awaitMembers("SECOND-lb", "Shop-MIXED", Map.of("10.0.0.1", "N1", "10.0.0.2", "n2"));
    fixture.cluster.endpoints("mixed", "n2");
    fixture.awaitMembers("SECOND-lb", "Shop-MIXED", N2);
    assertThat(fixture.arm.puts("SECOND-lb", "Shop-MIXED", 0))
        .allSatisfy(
            put -> assertThat(put.path()).endsWith("/SECOND-lb/backendAddressPools/Shop-MIXED"));
  }

  @Test
  void whatIsNotUnderstoodSurvivesAWrite() {
    ObjectNode before = fixture.arm.document(LB, "shop-open");
    ObjectNode properties = (ObjectNode) before.path("properties");
    properties.put("syncMode", "Manual").putObject("fromTheFuture").put("exactly", 0.10);
    ObjectNode entry = (ObjectNode) properties.at("/loadBalancerBackendAddresses/0/properties");
    // Down would be set back to None: the node is in service. Up is never touched.
    entry.put("adminState", "Up").put("weight", 7);
    fixture.arm.putDocument(LB, "shop-open", before);

    fixture.cluster.endpoints("open", "n1", "n2");

    fixture.awaitMembers(LB, "shop-open", BOTH);
    JsonNode after = fixture.arm.document(LB, "shop-open").path("properties");
    assertThat(after.path("syncMode").asText()).isEqualTo("Manual");
    assertThat(after.path("fromTheFuture").toString()).isEqualTo("{\"exactly\":0.1}");
    assertThat(after.at("/virtualNetwork/id").asText()).isEqualTo(SimulatedArm.NETWORK);
    JsonNode kept = after.at("/loadBalancerBackendAddresses/0/properties");
    assertThat(kept.path("adminState").asText()).isEqualTo("Up");
    assertThat(kept.path("weight").asInt()).isEqualTo(7);
    JsonNode added = after.at("/loadBalancerBackendAddresses/1/properties");
    assertThat(added.path("ipAddress").asText()).isEqualTo("10.0.0.2");
    assertThat(added.has("adminState")).isFalse();
  }

  @Test
  void aPoolWithAnEntryWithoutAnAddressIsLeftAlone() {
    ObjectNode document = fixture.arm.document(LB, "shop-nic");
    ArrayNode entries = (ArrayNode) document.at("/properties/loadBalancerBackendAddresses");
    entries
        .addObject()
        .put("name", "nic")
        .putObject("properties")
        .putObject("loadBalancerFrontendIPConfiguration")
        .put("id", "/subscriptions/s/regional/frontendIPConfigurations/1");
    fixture.arm.putDocument(LB, "shop-nic", document);
    int mark = fixture.arm.mark();

    fixture.cluster.endpoints("nic", "n2");

    eventually(() -> assertThat(fixture.arm.requests("GET", LB, "shop-nic", mark)).isNotEmpty());
    settle();
    assertThat(fixture.arm.puts(LB, "shop-nic", mark)).isEmpty();
    assertThat(fixture.arm.members(LB, "shop-nic").values()).containsExactlyInAnyOrder("n1", "nic");
    assertThat(fixture.cluster.events("nic")).isEmpty();
  }

  @Test
  void whatOthersWroteIntoAPoolIsPutRightAfterAListing() {
    fixture.arm.putMembers(LB, "shop-meddled", Map.of("10.0.0.3", "n3", "10.9.9.9", "intruder"));

    fixture.cluster.touch("meddled");

    fixture.awaitMembers(LB, "shop-meddled", N1);
    fixture.awaitEvents("meddled", UPDATED);
  }

  @Test
  void aServiceThatMovesToAnotherLoadBalancerIsFollowed() {
    int mark = fixture.arm.mark();
    fixture.arm.put("To", Seed.of("shop-mover", mover));
    // Like the cloud provider: the rule is deleted, the pool stays.
    fixture.arm.put("From", new Seed("shop-mover", List.of(), N1));

    fixture.cluster.touch("mover");

    fixture.awaitMembers("To", "shop-mover", N1);
    eventually(
        () -> assertThat(fixture.get("/api/v1/pools/From/shop-mover").status()).isEqualTo(404));
    fixture.cluster.endpoints("mover", "n2");
    fixture.awaitMembers("To", "shop-mover", N2);
    assertThat(fixture.arm.members("From", "shop-mover")).isEqualTo(N1);
    assertThat(fixture.arm.puts("From", "shop-mover", mark)).isEmpty();
    assertThat(fixture.arm.puts("To", "shop-mover", mark)).hasSize(2);
  }
}
