package io.poolkeeper.armsim.identity;

import io.poolkeeper.armsim.identity.IdentityRoute.OpenIdConfiguration;
import io.poolkeeper.armsim.protocol.ArmJson;
import java.net.URI;
import java.util.Map;

/**
 * The discovery document of a directory (OpenID Connect Discovery), with this host in every URL.
 */
final class OpenId {
  private OpenId() {}

  static IdentityAnswer configuration(String origin, OpenIdConfiguration route) {
    return IdentityAnswer.ok(
        ArmJson.object(
            """
            {"token_endpoint": "$tenant/oauth2$version/token",
             "token_endpoint_auth_methods_supported": ["client_secret_post", "private_key_jwt"],
             "jwks_uri": "$tenant/discovery$version/keys",
             "response_modes_supported": ["query", "fragment", "form_post"],
             "subject_types_supported": ["pairwise"],
             "id_token_signing_alg_values_supported": ["RS256"],
             "response_types_supported": ["code", "id_token"],
             "scopes_supported": ["openid"],
             "issuer": "$issuer",
             "authorization_endpoint": "$tenant/oauth2$version/authorize",
             "cloud_instance_name": "$authority"}
            """,
            Map.of(
                "tenant",
                origin + "/" + route.tenant(),
                "version",
                route.v2() ? "/v2.0" : "",
                "issuer",
                AccessToken.issuer(origin, route.tenant(), route.v2()),
                "authority",
                authority(origin))));
  }

  static IdentityAnswer instances(IdentityCall call) {
    return IdentityAnswer.ok(
        ArmJson.object(
            """
            {"tenant_discovery_endpoint": "$origin/common/v2.0/.well-known/openid-configuration",
             "api-version": "$version",
             "metadata": [{"preferred_network": "$host", "preferred_cache": "$host",
               "aliases": ["$host"]}]}
            """,
            Map.of(
                "origin", call.origin(),
                "version", call.inQuery("api-version").orElse("1.1"),
                "host", authority(call.origin()))));
  }

  /** No keys, as nothing is signed. */
  static IdentityAnswer keys() {
    return IdentityAnswer.ok(ArmJson.object("{\"keys\": []}"));
  }

  private static String authority(String origin) {
    return URI.create(origin).getRawAuthority();
  }
}
