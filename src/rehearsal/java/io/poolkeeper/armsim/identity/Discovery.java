package io.poolkeeper.armsim.identity;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.identity.IdentityCall.IdentityAnswer;
import io.poolkeeper.armsim.identity.IdentityRoute.OpenIdConfiguration;
import io.poolkeeper.armsim.protocol.ArmJson;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What clients look up before they sign in, with this host in every URL: the description of the
 * cloud at {@code /metadata/endpoints}, in the form of each of its versions, and that of a
 * directory. Clients look up a cloud by their configured name, so the list has all names, and all
 * of them are this simulator. The suffixes are of hosts that do not exist.
 */
final class Discovery {
  private static final String FIRST = "2015-01-01";
  private static final String LIST = "2019-05-01";
  private static final String OBJECT = "2022-09-01";

  /** Azure's own name there; some clients refuse that of Azure Stack. */
  private static final String PUBLIC = "AzureCloud";

  private static final List<String> NAMES =
      List.of(
          PUBLIC,
          "AzurePublicCloud",
          "AzureStackCloud",
          "AzureChinaCloud",
          "AzureUSGovernment",
          "AzureUSGovernmentCloud");

  private Discovery() {}

  static IdentityAnswer clouds(IdentityCall call) {
    Optional<String> version = call.inQuery("api-version");
    if (version.isEmpty()) {
      return refused(
          "MissingApiVersionParameter",
          "The api-version query parameter (?api-version=) is required for all requests.");
    }
    String origin = call.origin();
    return switch (version.get()) {
      case FIRST -> IdentityAnswer.ok(first(origin));
      case LIST -> {
        ArrayNode clouds = ArmJson.MAPPER.createArrayNode();
        NAMES.forEach(name -> clouds.add(cloud(name, origin)));
        yield IdentityAnswer.ok(clouds);
      }
      case OBJECT -> IdentityAnswer.ok(cloud(PUBLIC, origin));
      default ->
          refused(
              "InvalidApiVersionParameter",
              "The api-version '%s' is invalid. The supported versions are '%s'."
                  .formatted(version.get(), String.join(",", FIRST, LIST, OBJECT)));
    };
  }

  private static IdentityAnswer refused(String code, String message) {
    ObjectNode body = ArmJson.MAPPER.createObjectNode();
    body.putObject("error").put("code", code).put("message", message);
    return new IdentityAnswer(400, body);
  }

  private static ObjectNode first(String origin) {
    return ArmJson.object(
        """
        {"galleryEndpoint": "$origin/", "graphEndpoint": "$origin/", "portalEndpoint": "$origin/",
         "authentication": {"loginEndpoint": "$origin/",
           "audiences": ["$origin/", "https://management.azure.com/"]}}
        """,
        Map.of("origin", origin));
  }

  private static ObjectNode cloud(String name, String origin) {
    return ArmJson.object(
        """
        {"portal": "$origin",
         "authentication": {"loginEndpoint": "$origin",
           "audiences": ["$origin/", "https://management.azure.com/"],
           "tenant": "common", "identityProvider": "AAD"},
         "media": "$origin", "graphAudience": "$origin/", "graph": "$origin/", "name": "$name",
         "suffixes": {"acrLoginServer": "azurecr.$host", "keyVaultDns": "vault.$host",
           "sqlServerHostname": "database.$host", "storage": "core.$host"},
         "batch": "$origin/", "resourceManager": "$origin/", "vmImageAliasDoc": "$origin",
         "activeDirectoryDataLake": "$origin/", "sqlManagement": "$origin/",
         "gallery": "$origin/", "microsoftGraphResourceId": "$origin/"}
        """,
        Map.of("origin", origin, "name", name, "host", URI.create(origin).getHost()));
  }

  /** The discovery document of a directory (OpenID Connect Discovery). */
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
