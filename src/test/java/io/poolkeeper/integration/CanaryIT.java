package io.poolkeeper.integration;

import static io.poolkeeper.integration.ControllerFixture.LB;
import static io.poolkeeper.integration.ControllerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.poolkeeper.integration.SimulatedArm.Seed;
import io.poolkeeper.model.Manage;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A canary of one Service beside others, whose pools would all be written otherwise. */
class CanaryIT {
  private static final String OUT_OF_SERVICE = "node.kubernetes.io/out-of-service";
  private static final Map<String, String> BEFORE = Map.of("10.0.0.1", "n1", "10.0.0.3", "n3");

  private final ControllerFixture fixture = new ControllerFixture();
  private int begin;

  @BeforeEach
  void start() throws IOException {
    fixture.cluster.node("n1", "10.0.0.1");
    fixture.cluster.node("n2", "10.0.0.2");
    fixture.cluster.node("n3", "10.0.0.3");
    String web = fixture.cluster.service("web");
    String api = fixture.cluster.service("api");
    fixture.cluster.endpoints("web", "n1", "n2");
    fixture.cluster.endpoints("api", "n1", "n2");
    fixture.arm.put(
        LB,
        Seed.of("shop-web", web).holding(BEFORE),
        Seed.of("shop-api", api).holding(BEFORE),
        Seed.of("kubernetes", "a0").holding(BEFORE));
    mark("web", "true");
    begin = fixture.arm.mark();
    fixture.startController("poolkeeper.opt-in = true");
    fixture.awaitReady();
  }

  @AfterEach
  void stop() throws IOException {
    fixture.close();
  }

  private void mark(String service, String value) {
    fixture.cluster.edit(
        service, now -> now.editMetadata().addToAnnotations(Manage.KEY, value).endMetadata());
  }

  private void takeOutOfService(String node) {
    fixture.cluster.editNode(
        node,
        now ->
            now.editOrNewSpec()
                .addNewTaint()
                .withKey(OUT_OF_SERVICE)
                .withEffect("NoExecute")
                .endTaint()
                .endSpec());
  }

  private List<String> down(String pool) {
    return fixture.pool(LB, pool).path("down").valueStream().map(JsonNode::asText).toList();
  }

  @Test
  void oneMarkedService_itsPoolIsWritten_andNothingElse() {
    fixture.awaitMembers(LB, "shop-web", Map.of("10.0.0.1", "n1", "10.0.0.2", "n2"));
    takeOutOfService("n1");
    eventually(() -> assertThat(down("shop-web")).containsExactly("10.0.0.1"));

    assertThat(fixture.arm.allPuts(begin))
        .isNotEmpty()
        .allSatisfy(path -> assertThat(path).endsWith("/shop-web"));
    JsonNode api = fixture.pool(LB, "shop-api");
    assertThat(api.path("state").asText()).isEqualTo("OptedOut");
    assertThat(api.path("why").asText()).startsWith("poolkeeper.opt-in is true");
    assertThat(api.path("services").toString()).isEqualTo("[\"shop/api\"]");
    assertThat(fixture.pool(LB, "kubernetes").path("state").asText()).isEqualTo("OptedOut");

    fixture.cluster.put(
        new NamespaceBuilder()
            .withNewMetadata()
            .withName(SimulatedCluster.NAMESPACE)
            .addToLabels(Manage.KEY, "true")
            .endMetadata()
            .build());
    fixture.awaitMembers(LB, "shop-api", Map.of("10.0.0.1", "n1", "10.0.0.2", "n2"));
    eventually(() -> assertThat(down("shop-api")).containsExactly("10.0.0.1"));

    mark("web", "false");
    eventually(
        () ->
            assertThat(fixture.pool(LB, "shop-web").path("state").asText()).isEqualTo("OptedOut"));
    int since = fixture.arm.mark();
    fixture.cluster.endpoints("web", "n3");
    fixture.cluster.endpoints("api", "n3");
    fixture.awaitMembers(LB, "shop-api", Map.of("10.0.0.3", "n3"));
    assertThat(fixture.arm.allPuts(since))
        .allSatisfy(path -> assertThat(path).endsWith("/shop-api"));
    assertThat(fixture.arm.members(LB, "kubernetes")).isEqualTo(BEFORE);
  }
}
