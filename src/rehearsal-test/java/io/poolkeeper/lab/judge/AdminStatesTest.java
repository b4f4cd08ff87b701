package io.poolkeeper.lab.judge;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Taint;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the judge takes for a wrong admin state. */
class AdminStatesTest {
  private static final String RULE = "{\"id\":\"r\"}";

  private static Node node(String key, String value) {
    return new NodeBuilder()
        .withNewMetadata()
        .withName("n")
        .endMetadata()
        .withNewSpec()
        .withTaints(new Taint("NoSchedule", key, null, value))
        .endSpec()
        .withNewStatus()
        .addNewAddress("10.0.0.1", "InternalIP")
        .endStatus()
        .build();
  }

  private static JsonNode pool(String rules, String state) throws JsonProcessingException {
    return new JsonMapper()
        .readTree(
            """
            {"name":"p","properties":{"loadBalancingRules":[%s],"loadBalancerBackendAddresses":[
              {"name":"e","properties":{"ipAddress":"10.0.0.1"%s}},
              {"name":"other","properties":{"ipAddress":"10.0.0.9","adminState":"Down"}}]}}"""
                .formatted(rules, state.isEmpty() ? "" : ",\"adminState\":\"" + state + "\""));
  }

  @ParameterizedTest
  @CsvSource({
    "node.kubernetes.io/out-of-service, nodeshutdown, true",
    "node.kubernetes.io/out-of-service, , true",
    "node.cloudprovider.kubernetes.io/shutdown, , true",
    "cloudprovider.azure.microsoft.com/draining, spot-eviction, true",
    "cloudprovider.azure.microsoft.com/draining, other, true",
    "node.kubernetes.io/unschedulable, , false",
    "node.kubernetes.io/out-of-service-soon, , false"
  })
  void leaving_taint_isOneOfThree(String key, String value, boolean leaving) {
    assertThat(AdminStates.leaving(node(key, value))).isEqualTo(leaving);
  }

  @Test
  void of_entryOfANodeOutOfService_mustBeDownWhereARuleSends() throws Exception {
    List<Node> nodes = List.of(node("node.kubernetes.io/out-of-service", "x"));

    assertThat(AdminStates.of(nodes, List.of(pool(RULE, ""), pool(RULE, "Up"))).notDown())
        .containsExactly("p/e is not Down", "p/e is not Down");
    assertThat(AdminStates.of(nodes, List.of(pool(RULE, "Down"), pool("", ""))).notDown())
        .isEmpty();
  }

  @Test
  void of_entryOfANodeInService_mustNotBeDown() throws Exception {
    List<Node> nodes = List.of(node("other", ""));

    assertThat(AdminStates.of(nodes, List.of(pool(RULE, "Down"), pool("", "Down"))).wronglyDown())
        .containsExactly("p/e is Down", "p/e is Down");
    assertThat(AdminStates.of(nodes, List.of(pool(RULE, "Up"), pool(RULE, ""))).wronglyDown())
        .isEmpty();
  }

  @Test
  void of_nodeThatHasOptedOut_isNotJudged() throws Exception {
    Node node =
        new NodeBuilder(node("node.kubernetes.io/out-of-service", "x"))
            .editMetadata()
            .addToLabels("poolkeeper.io/admin-state", "ignore")
            .endMetadata()
            .build();

    AdminStates found = AdminStates.of(List.of(node), List.of(pool(RULE, ""), pool(RULE, "Down")));

    assertThat(found.notDown()).isEmpty();
    assertThat(found.wronglyDown()).isEmpty();
  }
}
