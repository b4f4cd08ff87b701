package io.poolkeeper.armsim.identity;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.identity.IdentityCall.IdentityAnswer;
import io.poolkeeper.armsim.protocol.ArmJson;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The managed identity of a machine: the token route of the instance metadata service, which
 * requires the header {@code Metadata: true}, and that of an App Service, which requires {@code
 * X-IDENTITY-HEADER}. Every identity exists.
 */
final class MachineIdentity {
  private static final Duration LIFETIME = Duration.ofHours(24);
  private static final String TENANT = "00000000-0000-0000-0000-000000000001";
  private static final String SYSTEM_ASSIGNED = "00000000-0000-0000-0000-000000000002";
  private static final List<String> IDENTITIES =
      List.of("client_id", "clientid", "object_id", "principal_id", "msi_res_id", "mi_res_id");

  private MachineIdentity() {}

  static IdentityAnswer answer(IdentityCall call, Instant now) {
    if (!call.method().equals("GET")) {
      return refused(405, "invalid_request", "The requested method is not allowed");
    }
    boolean asked =
        call.header("metadata").filter("true"::equalsIgnoreCase).isPresent()
            || call.header("x-identity-header").filter(secret -> !secret.isBlank()).isPresent();
    if (!asked) {
      return refused(400, "invalid_request", "Required metadata header not specified");
    }
    if (call.inQuery("api-version").isEmpty()) {
      return refused(400, "invalid_request", "Required query variable 'api-version' is missing");
    }
    return call.inQuery("resource")
        .map(resource -> issue(call, resource, now))
        .orElseGet(
            () -> refused(400, "invalid_request", "Required query variable 'resource' is missing"));
  }

  private static IdentityAnswer issue(IdentityCall call, String resource, Instant now) {
    String client =
        IDENTITIES.stream()
            .flatMap(name -> call.inQuery(name).stream())
            .findFirst()
            .orElse(SYSTEM_ASSIGNED);
    AccessToken token =
        new AccessToken(call.origin(), TENANT, resource, client, false, now, LIFETIME);
    ObjectNode node = ArmJson.MAPPER.createObjectNode();
    node.put("access_token", token.text()).put("client_id", client).put("token_type", "Bearer");
    token.putLifetime(node);
    return IdentityAnswer.ok(node);
  }

  private static IdentityAnswer refused(int status, String error, String why) {
    ObjectNode node = ArmJson.MAPPER.createObjectNode();
    return new IdentityAnswer(status, node.put("error", error).put("error_description", why));
  }
}
