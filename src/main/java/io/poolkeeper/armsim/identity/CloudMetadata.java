package io.poolkeeper.armsim.identity;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ArmJson;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/**
 * The description of the cloud at {@code /metadata/endpoints}, in the form of each of its versions.
 * Clients look up a cloud by their configured name, so the list has all names, and all of them are
 * this simulator. The suffixes are of hosts that do not exist.
 */
final class CloudMetadata {
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

  private CloudMetadata() {}

  static IdentityAnswer answer(IdentityCall call) {
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
    ObjectNode node = ArmJson.MAPPER.createObjectNode();
    node.put("galleryEndpoint", origin + "/").put("graphEndpoint", origin + "/");
    node.put("portalEndpoint", origin + "/");
    audiences(node.putObject("authentication").put("loginEndpoint", origin + "/"), origin);
    return node;
  }

  private static ObjectNode cloud(String name, String origin) {
    ObjectNode node = ArmJson.MAPPER.createObjectNode();
    node.put("portal", origin);
    ObjectNode authentication = node.putObject("authentication");
    authentication.put("loginEndpoint", origin);
    audiences(authentication, origin);
    authentication.put("tenant", "common").put("identityProvider", "AAD");
    node.put("media", origin).put("graphAudience", origin + "/").put("graph", origin + "/");
    node.put("name", name);
    suffixes(node.putObject("suffixes"), URI.create(origin).getHost());
    node.put("batch", origin + "/").put("resourceManager", origin + "/");
    node.put("vmImageAliasDoc", origin).put("activeDirectoryDataLake", origin + "/");
    node.put("sqlManagement", origin + "/").put("gallery", origin + "/");
    node.put("microsoftGraphResourceId", origin + "/");
    return node;
  }

  private static void audiences(ObjectNode authentication, String origin) {
    authentication.putArray("audiences").add(origin + "/").add("https://management.azure.com/");
  }

  private static void suffixes(ObjectNode suffixes, String host) {
    suffixes
        .put("acrLoginServer", "azurecr." + host)
        .put("keyVaultDns", "vault." + host)
        .put("sqlServerHostname", "database." + host)
        .put("storage", "core." + host);
  }
}
