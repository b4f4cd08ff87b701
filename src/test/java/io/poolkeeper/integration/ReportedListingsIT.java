package io.poolkeeper.integration;

import static io.poolkeeper.integration.ControllerFixture.LB;
import static io.poolkeeper.integration.ControllerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.integration.SimulatedArm.Seed;
import java.util.Map;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What operators have met in listings (docs/operations/reports.md), through a whole controller. */
class ReportedListingsIT {
  private static final String OTHER = "Second-LB";
  private static final String POOL = "shop-web";

  private final ControllerFixture fixture = new ControllerFixture();

  ReportedListingsIT() {
    fixture.cluster.node("n1", "10.0.0.1");
    fixture.cluster.node("n2", "10.0.0.2");
    fixture.cluster.endpoints("web", "n1");
    fixture.arm.put(LB, Seed.of(POOL, fixture.cluster.service("web")));
  }

  @AfterEach
  void stop() throws Exception {
    fixture.stopController();
    fixture.close();
  }

  private Optional<JsonNode> cause(String key) {
    JsonNode causes = fixture.get("/api/v1/status").json().path("causes");
    return StreamSupport.stream(causes.spliterator(), false)
        .filter(cause -> cause.path("key").asText().equals(key))
        .findFirst();
  }

  private static ObjectNode properties(JsonNode listing, String loadBalancer) {
    return StreamSupport.stream(listing.path("value").spliterator(), false)
        .filter(one -> one.path("name").asText().equals(loadBalancer))
        .map(one -> (ObjectNode) one.path("properties"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void reported4_aLocalServicesPoolOfInterfacesIsLeftAloneFromTheFirstListingOn() throws Exception {
    ObjectNode listing = fixture.arm.listing();
    ObjectNode pool = (ObjectNode) properties(listing, LB).path("backendAddressPools").get(0);
    ((ObjectNode) pool.path("properties"))
        .putArray("loadBalancerBackendAddresses")
        .addObject()
        .put("name", "nic")
        .putObject("properties")
        .putObject("networkInterfaceIPConfiguration")
        .put("id", "/subscriptions/s/resourceGroups/g/providers/any/ipConfigurations/c");
    fixture.arm.listed(listing);
    int mark = fixture.arm.mark();

    for (int start = 0; start < 2; start++) {
      fixture.startController("");
      fixture.awaitReady();
      eventually(
          () -> assertThat(cause("left-alone")).map(of -> of.path("pools").asInt()).contains(1));
      assertThat(fixture.get("/metrics").body())
          .contains("poolkeeper_pools_behind{cause=\"left-alone\"} 1");
      fixture.stopController();
    }
    assertThat(fixture.arm.allPuts(mark)).isEmpty();
  }

  @Test
  void reported12_aLoadBalancerThatCannotBeReadKeepsNobodyFromTheOthers() throws Exception {
    fixture.arm.put(OTHER, Seed.of("theirs", "a"));
    ObjectNode listing = fixture.arm.listing();
    properties(listing, OTHER).put("backendAddressPools", 7);
    String fault = fixture.arm.listed(listing);

    fixture.startController("");

    fixture.awaitMembers(LB, POOL, Map.of("10.0.0.1", "n1"));
    fixture.cluster.endpoints("web", "n2");
    fixture.awaitMembers(LB, POOL, Map.of("10.0.0.2", "n2"));
    assertThat(fixture.get("/readyz").status()).isEqualTo(200);
    assertThat(fixture.get("/readyz").body()).contains("cannot be read: 1", OTHER);
    assertThat(unreadable())
        .contains(OTHER, "properties.backendAddressPools is of type NUMBER, must be an array");
    assertThat(fixture.get("/metrics").body())
        .contains("poolkeeper_load_balancers_unreadable{used=\"true\"} 1");

    // Then ours: its pools stay, and are shown.
    fixture.arm.lift(fault);
    listing = fixture.arm.listing();
    properties(listing, LB).put("backendAddressPools", 7);
    fault = fixture.arm.listed(listing);
    fixture.cluster.touch("web");
    eventually(() -> assertThat(unreadable()).contains(LB).doesNotContain(OTHER));
    int mark = fixture.arm.mark();
    fixture.cluster.endpoints("web", "n1");
    JsonNode kept = fixture.pool(LB, POOL);
    assertThat(kept.path("state").asText()).isEqualTo("OptedOut");
    assertThat(kept.path("why").asText())
        .startsWith("the load balancer kubernetes cannot be read: HTTP 200 answer: value[");
    assertThat(fixture.arm.allPuts(mark)).isEmpty();
    fixture.arm.lift(fault);
    fixture.cluster.touch("web");
    fixture.awaitMembers(LB, POOL, Map.of("10.0.0.1", "n1"));
    fixture.awaitReady();
  }

  private String unreadable() {
    return cause("unreadable").map(of -> of.path("title").asText()).orElse("");
  }
}
