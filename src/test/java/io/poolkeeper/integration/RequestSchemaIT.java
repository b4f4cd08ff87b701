package io.poolkeeper.integration;

import static io.poolkeeper.integration.ControllerFixture.LB;
import static io.poolkeeper.integration.ControllerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.integration.SimulatedArm.Seed;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The controller's requests conform to Azure's swagger. All other integration tests check theirs,
 * too; here every kind of request is caused and its check is verified.
 */
class RequestSchemaIT {
  private static final String GROUP =
      "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}";
  private static final String BALANCERS = GROUP + "/providers/Microsoft.Network/loadBalancers";
  private static final String POOL =
      BALANCERS + "/{loadBalancerName}/backendAddressPools/{backendAddressPoolName}";

  private final ControllerFixture fixture = new ControllerFixture();

  @AfterEach
  void stop() throws Exception {
    fixture.close();
  }

  @Test
  void everyRequestOfTheControllerIsOneOfTheSwagger() throws Exception {
    for (int node = 1; node <= 3; node++) {
      fixture.cluster.node("n" + node, "10.0.0." + node, "fd00::" + node);
    }
    fixture.cluster.editNode(
        "n1",
        node ->
            node.editSpec()
                .addNewTaint("NoExecute", "node.kubernetes.io/out-of-service", null, "")
                .endSpec());
    String prefix =
        fixture.cluster.service(
            "shop", "dual", service -> SimulatedCluster.families(service, "IPv4", "IPv6"));
    fixture.cluster.endpoints("dual", "n1", "n2");
    fixture.arm.put(
        LB,
        Seed.of("shop-dual", prefix).holding(Map.of("10.0.0.1", "n1")),
        new Seed("shop-dual-ipv6", List.of(prefix + "-TCP-80-IPv6"), Map.of("fd00::1", "n1")));
    int seeded = fixture.arm.routes().size();

    fixture.startController("");
    fixture.awaitMembers(LB, "shop-dual", Map.of("10.0.0.1", "n1", "10.0.0.2", "n2"));
    fixture.awaitMembers(LB, "shop-dual-ipv6", Map.of("fd00::1", "n1", "fd00::2", "n2"));
    for (String pool : List.of("shop-dual", "shop-dual-ipv6")) {
      eventually(() -> assertThat(fixture.arm.document(LB, pool).toString()).contains("\"Down\""));
    }
    fixture.cluster.endpoints("dual");
    fixture.awaitMembers(LB, "shop-dual", Map.of());
    fixture.awaitMembers(LB, "shop-dual-ipv6", Map.of());
    fixture.cluster.endpoints("dual", "n3");
    fixture.awaitMembers(LB, "shop-dual", Map.of("10.0.0.3", "n3"));
    fixture.awaitMembers(LB, "shop-dual-ipv6", Map.of("fd00::3", "n3"));
    fixture.stopController();

    List<String> taken = fixture.arm.routes();
    List<String> sent = taken.subList(seeded, taken.size());
    Set<String> different = new TreeSet<>(sent);
    assertThat(different).containsExactly("GET " + BALANCERS, "GET " + POOL, "PUT " + POOL);
    assertThat(sent).filteredOn(("PUT " + POOL)::equals).hasSizeGreaterThanOrEqualTo(6);
  }
}
