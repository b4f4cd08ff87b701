package io.poolkeeper.armsim.identity;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.identity.IdentityRoute.OpenIdConfiguration;
import io.poolkeeper.armsim.protocol.ArmJson;
import java.net.URI;

/**
 * The discovery document of a directory (OpenID Connect Discovery), with this host in every URL.
 */
final class OpenId {
  private OpenId() {}

  static IdentityAnswer configuration(String origin, OpenIdConfiguration route) {
    String tenant = origin + "/" + route.tenant();
    String version = route.v2() ? "/v2.0" : "";
    ObjectNode node = ArmJson.MAPPER.createObjectNode();
    node.put("token_endpoint", tenant + "/oauth2" + version + "/token");
    node.putArray("token_endpoint_auth_methods_supported")
        .add("client_secret_post")
        .add("private_key_jwt");
    node.put("jwks_uri", tenant + "/discovery" + version + "/keys");
    node.putArray("response_modes_supported").add("query").add("fragment").add("form_post");
    node.putArray("subject_types_supported").add("pairwise");
    node.putArray("id_token_signing_alg_values_supported").add("RS256");
    node.putArray("response_types_supported").add("code").add("id_token");
    node.putArray("scopes_supported").add("openid");
    node.put("issuer", AccessToken.issuer(origin, route.tenant(), route.v2()));
    node.put("authorization_endpoint", tenant + "/oauth2" + version + "/authorize");
    node.put("cloud_instance_name", authority(origin));
    return IdentityAnswer.ok(node);
  }

  static IdentityAnswer instances(IdentityCall call) {
    String host = authority(call.origin());
    ObjectNode node = ArmJson.MAPPER.createObjectNode();
    node.put(
        "tenant_discovery_endpoint",
        call.origin() + "/common/v2.0/.well-known/openid-configuration");
    node.put("api-version", call.inQuery("api-version").orElse("1.1"));
    ObjectNode names = node.putArray("metadata").addObject();
    names.put("preferred_network", host).put("preferred_cache", host);
    names.putArray("aliases").add(host);
    return IdentityAnswer.ok(node);
  }

  /** No keys, as nothing is signed. */
  static IdentityAnswer keys() {
    ObjectNode node = ArmJson.MAPPER.createObjectNode();
    node.putArray("keys");
    return IdentityAnswer.ok(node);
  }

  private static String authority(String origin) {
    return URI.create(origin).getRawAuthority();
  }
}
