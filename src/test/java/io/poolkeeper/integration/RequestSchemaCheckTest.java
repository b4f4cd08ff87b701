package io.poolkeeper.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.armsim.protocol.ArmCall.Body;
import io.poolkeeper.armsim.protocol.ArmCall.Method;
import io.poolkeeper.armsim.protocol.ArmPath;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RequestSchemaCheckTest {
  private static final String LB =
      "/subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/loadBalancers/lb";
  private static final String POOL = LB + "/backendAddressPools/p";
  private static final String API = "api-version=2025-05-01";

  private final RequestSchemaCheck schema = new RequestSchemaCheck();

  private void sees(Method method, String path, String query, Body body) {
    schema.accept(
        new ArmCall(
            method,
            path,
            query,
            ArmPath.parse(path),
            "http://arm",
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            body));
  }

  @Test
  void accept_goodRequests_areRememberedWithoutObjection() {
    sees(Method.GET, POOL, API, new Body.Absent());
    sees(Method.PUT, POOL, API, new Body.Json(JsonNodeFactory.instance.objectNode()));
    assertThat(schema.objections()).isEmpty();
    assertThat(schema.routes()).hasSize(2).allMatch(route -> route.endsWith("PoolName}"));
  }

  @Test
  void accept_badRequests_areObjectedTo() {
    var wrong = JsonNodeFactory.instance.objectNode().put("properties", 7);
    sees(Method.PUT, POOL, API, new Body.Json(wrong));
    sees(Method.GET, POOL, "", new Body.Absent());
    sees(Method.GET, POOL + "/more", API, new Body.Absent());
    sees(Method.PUT, POOL, API, new Body.Malformed("cut"));
    assertThat(schema.objections())
        .hasSize(5)
        .first()
        .asString()
        .contains("$.properties")
        .contains("object");
  }
}
