package io.poolkeeper.config;

import io.poolkeeper.config.Settings.Azure;
import io.poolkeeper.config.Settings.Cloud;
import io.poolkeeper.config.Settings.Credential;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads the section {@code azure} and checks the rules between its keys. */
final class AzureSection {
  static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([\\w.-]{0,78}\\w)?");
  static final String NAME_IN_WORDS =
      "a load balancer's name: 1 to 80 letters, digits, '_', '.' or '-'";
  private static final String INTERNAL = "-internal";

  private static final Pattern SUBSCRIPTION = Pattern.compile("[A-Za-z0-9-]{1,64}");
  private static final Pattern GROUP = Pattern.compile("[\\p{L}\\p{Nd}_.()-]{1,90}(?<!\\.)");
  private static final String GROUP_IN_WORDS =
      "a resource group's name: 1 to 90 letters, digits, '_', '.', '-' or brackets";
  private static final Pattern VNET =
      Pattern.compile(
          "/subscriptions/[^/\\s]+/resourceGroups/[^/\\s]+"
              + "/providers/Microsoft\\.Network/virtualNetworks/[^/\\s]+",
          Pattern.CASE_INSENSITIVE);
  private static final Pattern API_VERSION = Pattern.compile("\\d{4}-\\d{2}-\\d{2}(-preview)?");
  private static final Pattern LOOPBACK =
      Pattern.compile("localhost|127(\\.\\d{1,3}){3}|\\[::1]|\\[0:0:0:0:0:0:0:1]");

  private static final String ORIGIN = "https://HOST[:PORT]";
  private static final String ORIGIN_OR_LOOPBACK =
      ORIGIN + ", or http:// if HOST is a loopback address";

  private enum Kind {
    DEFAULT,
    WORKLOAD_IDENTITY,
    MANAGED_IDENTITY,
    CLIENT_SECRET,
    NONE
  }

  private final Values values;
  private final Path configFile;
  private final boolean azureJsonSound;

  /** Prepares to read. */
  AzureSection(Values values, Path configFile, boolean azureJsonSound) {
    this.values = values;
    this.configFile = configFile;
    this.azureJsonSound = azureJsonSound;
  }

  Azure read() {
    values.text(
        "azure.config-file"); // Read only to be shown: the content of the file is a layer of its
    // own.
    var subscription =
        required(
            values.matching(
                "azure.subscription-id", SUBSCRIPTION, "a subscription's id, such as a UUID"),
            "azure.subscription-id",
            "a subscription's id",
            "subscriptionId",
            "POOLKEEPER_SUBSCRIPTION_ID");
    var group =
        required(
            values.matching("azure.resource-group", GROUP, GROUP_IN_WORDS),
            "azure.resource-group",
            "a resource group's name",
            "resourceGroup",
            "POOLKEEPER_RESOURCE_GROUP");
    var balancerGroup =
        values.matching("azure.load-balancer-resource-group", GROUP, GROUP_IN_WORDS);
    if (balancerGroup.isEmpty()) {
      values.derived("azure.load-balancer-resource-group", group, "azure.resource-group");
    }
    var vnet =
        values.matching(
            "azure.vnet-id",
            VNET,
            "/subscriptions/ID/resourceGroups/GROUP/providers/Microsoft.Network"
                + "/virtualNetworks/NAME");
    var balancers = loadBalancers();
    var cloud = values.oneOf("azure.cloud", clouds(), Cloud.PUBLIC);
    var endpoint = endpoint();
    return new Azure(
        subscription,
        group,
        balancerGroup.orElse(group),
        vnet,
        balancers,
        cloud,
        endpoint,
        authorityHost(),
        trustCaFile(),
        credential(endpoint),
        apiVersion());
  }

  private List<String> loadBalancers() {
    var key = "azure.load-balancers";
    var names = values.texts(key, NAME, NAME_IN_WORDS);
    var seen = new HashSet<String>();
    for (var name : names) {
      var folded = name.toLowerCase(Locale.ROOT);
      if (folded.endsWith(INTERNAL)) {
        values.reject(
            key,
            '"' + name + '"',
            "names without the suffix -internal; the internal load balancer is meant too");
      }
      if (!seen.add(folded)) {
        values.reject(
            key, '"' + name + "\" twice", "names that differ in more than upper and lower case");
      }
    }
    return names;
  }

  private Optional<URI> endpoint() {
    var uri = origin("azure.endpoint", ORIGIN_OR_LOOPBACK);
    uri.filter(found -> plain(found) && !isLoopback(found))
        .ifPresent(found -> values.reject("azure.endpoint", ORIGIN_OR_LOOPBACK));
    return uri.filter(found -> !plain(found) || isLoopback(found));
  }

  /** https only, as secrets and tokens go there. */
  private Optional<URI> authorityHost() {
    var uri = origin("azure.authority-host", ORIGIN);
    uri.filter(AzureSection::plain)
        .ifPresent(found -> values.reject("azure.authority-host", ORIGIN));
    return uri.filter(found -> !plain(found));
  }

  private static boolean plain(URI uri) {
    return uri.getScheme().equalsIgnoreCase("http");
  }

  /** A URL without anything after host and port. */
  private Optional<URI> origin(String key, String allowed) {
    var text = values.text(key);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    var bare =
        text.get().endsWith("/") ? text.get().substring(0, text.get().length() - 1) : text.get();
    try {
      var uri = new URI(bare).parseServerAuthority();
      var scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
      boolean origin =
          uri.getHost() != null
              && uri.getUserInfo() == null
              && String.valueOf(uri.getRawPath()).isEmpty()
              && uri.getRawQuery() == null
              && uri.getRawFragment() == null
              && uri.getPort() <= 65_535;
      if (origin && (scheme.equals("https") || scheme.equals("http"))) {
        return Optional.of(uri);
      }
    } catch (URISyntaxException e) {
      // Falls through to the same problem.
    }
    values.reject(key, allowed);
    return Optional.empty();
  }

  /** Decides by the text: a name that resolves to a loopback address is not trusted. */
  private static boolean isLoopback(URI uri) {
    return LOOPBACK.matcher(uri.getHost().toLowerCase(Locale.ROOT)).matches();
  }

  private Optional<Path> trustCaFile() {
    var key = "azure.trust-ca-file";
    var text = values.text(key);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      var path = configFile.resolveSibling(text.get());
      var objection = PemFile.objection(path);
      objection.ifPresent(
          why -> values.reject(key, path + ", " + why, "a readable PEM file of certificates"));
      return Optional.of(path);
    } catch (InvalidPathException e) {
      values.reject(key, "the path of a PEM file");
      return Optional.empty();
    }
  }

  private Credential credential(Optional<URI> endpoint) {
    var kind = values.oneOf("azure.credential", kinds(), Kind.DEFAULT);
    var tenant = values.text("azure.tenant-id");
    var client = values.text("azure.client-id");
    var secret = values.text("azure.client-secret");
    boolean endpointKnown = !values.rejected("azure.endpoint");
    if (kind == Kind.NONE
        && endpointKnown
        && !endpoint.map(AzureSection::isLoopback).orElse(false)) {
      values.reject("azure.credential", "none only if azure.endpoint is a loopback address");
    }
    boolean plain = endpoint.map(uri -> uri.getScheme().equalsIgnoreCase("http")).orElse(false);
    if (kind != Kind.NONE && plain) {
      values.reject(
          "azure.credential", "none, as azure.endpoint is http and tokens are sent by https only");
    }
    return switch (kind) {
      case DEFAULT -> new Credential.Default();
      case NONE -> new Credential.None();
      case WORKLOAD_IDENTITY -> new Credential.WorkloadIdentity(tenant, client);
      case MANAGED_IDENTITY -> Credential.ManagedIdentity.of(client);
      case CLIENT_SECRET ->
          new Credential.ClientSecret(
              ofPrincipal(tenant, "tenant-id", "tenantId"),
              ofPrincipal(client, "client-id", "aadClientId"),
              ofPrincipal(secret, "client-secret", "aadClientSecret"));
    };
  }

  private String ofPrincipal(Optional<String> value, String key, String azureJsonKey) {
    var variable = "POOLKEEPER_" + key.toUpperCase(Locale.ROOT).replace('-', '_');
    return required(
        value,
        "azure." + key,
        "a value, as azure.credential is client-secret",
        azureJsonKey,
        variable);
  }

  private String apiVersion() {
    var key = "azure.api-version";
    var allowed = "a date such as 2025-05-01";
    var version = values.matching(key, API_VERSION, allowed);
    if (version.isEmpty()) {
      values.reject(key, allowed);
    }
    return version.orElse("");
  }

  private String required(
      Optional<String> value, String key, String what, String azureJsonKey, String variable) {
    if (value.isEmpty() && azureJsonSound) {
      values.reject(
          key,
          "nothing",
          "%s; here, as %s in azure.json, or as %s in the environment"
              .formatted(what, azureJsonKey, variable));
    }
    return value.orElse("");
  }

  private static Map<String, Cloud> clouds() {
    var clouds = new LinkedHashMap<String, Cloud>();
    clouds.put("AzurePublicCloud", Cloud.PUBLIC);
    clouds.put("AzureCloud", Cloud.PUBLIC);
    clouds.put("AzureChinaCloud", Cloud.CHINA);
    clouds.put("AzureUSGovernment", Cloud.US_GOVERNMENT);
    clouds.put("AzureUSGovernmentCloud", Cloud.US_GOVERNMENT);
    return clouds;
  }

  private static Map<String, Kind> kinds() {
    var kinds = new LinkedHashMap<String, Kind>();
    for (var kind : Kind.values()) {
      kinds.put(kind.name().toLowerCase(Locale.ROOT).replace('_', '-'), kind);
    }
    return kinds;
  }
}
