package io.poolkeeper.config;

import static java.util.Map.entry;

import io.poolkeeper.arm.Azure;
import io.poolkeeper.arm.Azure.Cloud;
import io.poolkeeper.arm.Azure.Credential;
import io.poolkeeper.model.Loopback;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Reads the section {@code azure} and checks the rules between its keys. */
record AzureSection(Values values, boolean azureJsonSound, Map<String, String> env) {
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

  /** Examples in the place of an id: one digit throughout, {@code <...>}, {@code YOUR-...}. */
  private static final Pattern PLACEHOLDER =
      Pattern.compile(
          ".*(\\b([0-9a-fx])\\2{7}(-\\2{4}){3}-\\2{12}\\b|<[^<>]*>|\\byour[-_ ]).*",
          Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  private static final List<String> KEYS_WITHOUT_PLACEHOLDER =
      List.of(
          "azure.subscription-id",
          "azure.resource-group",
          "azure.load-balancer-resource-group",
          "azure.vnet-id",
          "azure.tenant-id",
          "azure.client-id",
          "azure.client-secret");

  private static final String TOKEN_FILE = "AZURE_FEDERATED_TOKEN_FILE";

  private static final String ORIGIN = "https://HOST[:PORT]";
  private static final String ORIGIN_OR_LOOPBACK =
      ORIGIN + ", or http:// if HOST is a loopback address";

  private static final Pattern AUDIENCE =
      Pattern.compile("(?i)(https|api)://[^\\s/?#]+(/(?!\\.default$)[^\\s?#]*)?");

  private enum Kind {
    DEFAULT,
    WORKLOAD_IDENTITY,
    MANAGED_IDENTITY,
    CLIENT_SECRET,
    NONE;

    private static final List<Map.Entry<String, Kind>> WORDS =
        Arrays.stream(values())
            .map(kind -> entry(kind.name().toLowerCase(Locale.ROOT).replace('_', '-'), kind))
            .toList();
  }

  private static final List<Map.Entry<String, Cloud>> CLOUDS =
      List.of(
          entry("AzurePublicCloud", Cloud.PUBLIC),
          entry("AzureCloud", Cloud.PUBLIC),
          entry("AzureChinaCloud", Cloud.CHINA),
          entry("AzureUSGovernment", Cloud.US_GOVERNMENT),
          entry("AzureUSGovernmentCloud", Cloud.US_GOVERNMENT));

  Azure read() {
    // The key is read so that it is shown; the file is a layer of its own.
    values.text("azure.config-file");
    var subscription =
        required(
            values.matching(
                "azure.subscription-id", SUBSCRIPTION, "a subscription's id, such as a UUID"),
            "subscription-id",
            "a subscription's id",
            "subscriptionId");
    var group =
        required(
            values.matching("azure.resource-group", GROUP, GROUP_IN_WORDS),
            "resource-group",
            "a resource group's name",
            "resourceGroup");
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
    var cloud = values.oneOf("azure.cloud", CLOUDS, Cloud.PUBLIC);
    var endpoint = origin("azure.endpoint", ORIGIN_OR_LOOPBACK, Loopback::is);
    // https only, as secrets and tokens go there.
    var authorityHost = origin("azure.authority-host", ORIGIN, uri -> false);
    return new Azure(
        subscription,
        group,
        balancerGroup.orElse(group),
        vnet,
        balancers,
        cloud,
        endpoint,
        authorityHost,
        values.matching(
            "azure.audience",
            AUDIENCE,
            "a URL such as https://management.core.windows.net/, without .default"),
        trustCaFile(),
        credential(endpoint),
        values.required("azure.api-version", API_VERSION, "a date such as 2025-05-01"));
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

  /** A URL without a path; {@code mayBePlain} says for which hosts http is allowed, too. */
  private Optional<URI> origin(String key, String allowed, Predicate<URI> mayBePlain) {
    var text = values.text(key);
    var origin = text.flatMap(given -> origin(given, mayBePlain));
    if (text.isPresent() && origin.isEmpty()) {
      values.reject(key, allowed);
    }
    return origin;
  }

  private static Optional<URI> origin(String text, Predicate<URI> mayBePlain) {
    try {
      var uri = new URI(text.replaceFirst("/$", "")).parseServerAuthority();
      var scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
      boolean origin =
          uri.getHost() != null
              && uri.getUserInfo() == null
              && String.valueOf(uri.getRawPath()).isEmpty()
              && uri.getRawQuery() == null
              && uri.getRawFragment() == null
              && uri.getPort() <= 65_535;
      boolean safe = scheme.equals("https") || (scheme.equals("http") && mayBePlain.test(uri));
      return origin && safe ? Optional.of(uri) : Optional.empty();
    } catch (URISyntaxException e) {
      return Optional.empty();
    }
  }

  private Optional<Path> trustCaFile() {
    var key = "azure.trust-ca-file";
    var file = values.pemFile(key);
    file.flatMap(path -> PemFile.objection(path).map(why -> path + ", " + why))
        .ifPresent(found -> values.reject(key, found, "a readable PEM file of certificates"));
    return file;
  }

  private Credential credential(Optional<URI> endpoint) {
    var kind = values.oneOf("azure.credential", Kind.WORDS, Kind.DEFAULT);
    var tenant = values.text("azure.tenant-id");
    var client = values.text("azure.client-id");
    var secret = values.text("azure.client-secret");
    boolean endpointKnown = !values.rejected("azure.endpoint");
    if (kind == Kind.NONE && endpointKnown && endpoint.filter(Loopback::is).isEmpty()) {
      values.reject("azure.credential", "none only if azure.endpoint is a loopback address");
    }
    boolean plain = endpoint.filter(uri -> uri.getScheme().equalsIgnoreCase("http")).isPresent();
    if (kind != Kind.NONE && plain) {
      values.reject(
          "azure.credential", "none, as azure.endpoint is http and tokens are sent by https only");
    }
    if (kind != Kind.NONE) {
      refusePlaceholders();
    }
    return switch (kind) {
      case DEFAULT -> new Credential.Default();
      case NONE -> new Credential.None();
      case WORKLOAD_IDENTITY -> {
        requireForWorkload(tenant, "tenant-id", "tenantId");
        requireForWorkload(client, "client-id", "aadClientId");
        requireTokenFile();
        yield new Credential.WorkloadIdentity(tenant, client);
      }
      case MANAGED_IDENTITY -> Credential.ManagedIdentity.of(client);
      case CLIENT_SECRET ->
          new Credential.ClientSecret(
              requireForPrincipal(tenant, "tenant-id", "tenantId"),
              requireForPrincipal(client, "client-id", "aadClientId"),
              requireForPrincipal(secret, "client-secret", AzureJson.SECRET),
              values.azureJson("azure.client-secret", AzureJson.SECRET).map(AzureJson.Secret::new));
    };
  }

  /** Placeholders matter only where a token is needed, as a simulator takes any id. */
  private void refusePlaceholders() {
    for (var key : KEYS_WITHOUT_PLACEHOLDER) {
      if (values.matches(key, PLACEHOLDER)) {
        values.reject(key, "your own value instead of the example's");
      }
    }
  }

  /** Missing ids come from the environment, as the SDK reads it. */
  private void requireForWorkload(Optional<String> value, String key, String azureJsonKey) {
    var variable = variable("AZURE_", key);
    if (value.isEmpty() && env.getOrDefault(variable, "").isBlank()) {
      missing(key, "a value, as azure.credential is workload-identity", azureJsonKey, variable);
    }
  }

  private void requireTokenFile() {
    var file = env.getOrDefault(TOKEN_FILE, "");
    var found =
        file.isBlank()
            ? Optional.of("workload-identity without " + TOKEN_FILE + " in the environment")
            : InputFile.objection(Path.of(file)).map(why -> TOKEN_FILE + "=" + file + ", " + why);
    found.ifPresent(
        wrong ->
            values.reject(
                "azure.credential",
                wrong,
                "the file of the federated token; a Pod with the label"
                    + " azure.workload.identity/use: \"true\" has it"));
  }

  private String requireForPrincipal(Optional<String> value, String key, String azureJsonKey) {
    return required(value, key, "a value, as azure.credential is client-secret", azureJsonKey);
  }

  private String required(Optional<String> value, String key, String what, String azureJsonKey) {
    if (value.isEmpty()) {
      missing(key, what, azureJsonKey, variable("POOLKEEPER_", key));
    }
    return value.orElse("");
  }

  private static String variable(String prefix, String key) {
    return prefix + key.toUpperCase(Locale.ROOT).replace('-', '_');
  }

  /** Reports a missing key, unless an azure.json could not be read that may have it. */
  private void missing(String key, String what, String azureJsonKey, String variable) {
    if (azureJsonSound) {
      values.reject(
          "azure." + key,
          "nothing",
          "%s; here, as %s in azure.json, or as %s in the environment"
              .formatted(what, azureJsonKey, variable));
    }
  }
}
