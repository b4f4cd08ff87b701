package io.poolkeeper.config;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValueFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The cloud provider's azure.json as a layer of Poolkeeper's keys. Read as the provider reads it:
 * keys ignoring case, unknown ones ignored, the resource group in lower case, a service principal
 * also from {@code AZURE_*} in the environment.
 */
final class AzureJson {
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();
  private static final String SECTION = Values.ROOT + ".azure.";

  /** The member that has a service principal's secret. */
  static final String SECRET = "aadClientSecret";

  private static final String INTERVAL = "loadBalancerBackendPoolUpdateIntervalInSeconds";

  /** Seconds; a longer one is refused where it is read. */
  private static final int MAX_INTERVAL = 3_600;

  private static final String MAX_RETRIES = "loadBalancerBackendPoolUpdateMaxRetries";
  private static final String ADMIN_STATE = "loadBalancerAdminStateEnabled";
  private static final String POOL_TYPE = "loadBalancerBackendPoolConfigurationType";
  private static final String BALANCERS = "multipleStandardLoadBalancerConfigurations";
  private static final Set<String> POOL_TYPES = Set.of("nodeipconfiguration", "nodeip", "podip");

  private final String file;
  private final JsonFields fields;
  private final Map<String, String> env;
  private Config layer = ConfigFactory.empty();

  private AzureJson(String file, JsonFields fields, Map<String, String> env) {
    this.file = file;
    this.fields = fields;
    this.env = env;
  }

  /** The layer; errors in the file are added to the problems. */
  static Config read(Path path, Map<String, String> env, List<Problem> problems) {
    var file = path.toString();
    var root = parse(path, problems);
    if (root.isEmpty()) {
      return ConfigFactory.empty();
    }
    if (!root.get().isObject()) {
      var found =
          root.get().isMissingNode() ? "an empty file" : JsonFields.describe(root.get(), "secret");
      problems.add(new Problem(file, "", found, "a JSON object"));
      return ConfigFactory.empty();
    }
    var fields = new JsonFields(root.get(), file, "", problems);
    return new AzureJson(file, fields, env).translate();
  }

  /** The secret of the service principal, if the file can be read and has one. */
  record Secret(Path file) implements Supplier<Optional<String>> {
    @Override
    public Optional<String> get() {
      List<Problem> problems = new ArrayList<>();
      return parse(file, problems)
          .flatMap(root -> new JsonFields(root, file.toString(), "", problems).text(SECRET))
          .filter(any -> problems.isEmpty());
    }
  }

  private static Optional<JsonNode> parse(Path path, List<Problem> problems) {
    var file = path.toString();
    var objection = InputFile.objection(path);
    if (objection.isPresent()) {
      problems.add(new Problem(file, "", objection.get(), "an azure.json of at most 1 MiB"));
      return Optional.empty();
    }
    try {
      return Optional.of(MAPPER.readTree(Files.readAllBytes(path)));
    } catch (JsonProcessingException e) {
      JsonLocation at = e.getLocation();
      int line = at == null ? 0 : at.getLineNr();
      var where = at == null ? file : "%s:%d:%d".formatted(file, line, at.getColumnNr());
      var detail = Secrets.detail(String.valueOf(e.getOriginalMessage()), path, line);
      problems.add(new Problem(where, "", "text that is not JSON" + detail, "a JSON object"));
    } catch (IOException e) {
      problems.add(new Problem(file, "", "a file that cannot be read", "an azure.json"));
    }
    return Optional.empty();
  }

  private Config translate() {
    var subscription = fields.text("subscriptionId");
    var group = fields.text("resourceGroup").map(g -> g.toLowerCase(Locale.ROOT));
    var network = fields.text("networkResourceSubscriptionID");
    // Load balancers are in the network subscription, but the provider looks for the virtual
    // network in the cluster's subscription.
    put("subscription-id", network, "networkResourceSubscriptionID");
    if (network.isEmpty()) {
      put("subscription-id", subscription, "subscriptionId");
    }
    put("resource-group", group, "resourceGroup");
    copy("load-balancer-resource-group", "loadBalancerResourceGroup");
    var vnetGroup = fields.text("vnetResourceGroup").or(() -> group);
    var vnetName = fields.text("vnetName");
    if (subscription.isPresent() && vnetGroup.isPresent() && vnetName.isPresent()) {
      var id =
          "/subscriptions/%s/resourceGroups/%s/providers/Microsoft.Network/virtualNetworks/%s"
              .formatted(subscription.get(), vnetGroup.get(), vnetName.get());
      put("vnet-id", Optional.of(id), "vnetName");
    }
    copy("cloud", "cloud");
    copy("endpoint", "resourceManagerEndpoint");
    loadBalancers();
    updater();
    fields
        .optionalFlag(ADMIN_STATE)
        .ifPresent(on -> set(Values.ROOT + ".admin-state.enabled", on, file + ": " + ADMIN_STATE));
    credential();
    return layer;
  }

  private void loadBalancers() {
    fields
        .text("loadBalancerSku")
        .filter(sku -> !sku.equalsIgnoreCase("standard"))
        .ifPresent(sku -> fields.reject("loadBalancerSku", sku, "standard"));
    var names = new ArrayList<String>();
    for (var configuration : fields.objects(BALANCERS)) {
      var name = configuration.text("name");
      name.ifPresent(names::add);
      if (name.isEmpty()) {
        configuration.reject("name", "nothing", "the load balancer's name");
      }
    }
    if (!names.isEmpty()) {
      set(SECTION + "load-balancers", names, file + ": " + BALANCERS);
    }
    var type = fields.text(POOL_TYPE).map(t -> t.toLowerCase(Locale.ROOT));
    if (type.isPresent() && !POOL_TYPES.contains(type.get())) {
      fields.reject(POOL_TYPE, type.get(), "nodeIP, podIP or nodeIPConfiguration");
    } else if (type.isPresent() && type.get().equals("nodeipconfiguration") && !names.isEmpty()) {
      fields.reject(POOL_TYPE, "nodeIPConfiguration", "nodeIP, as " + BALANCERS + " is given");
    }
  }

  /**
   * Zero retries means none, unlike the interval's zero, which means unset. The provider's own
   * updater may act on a change an interval after it: pools are looked at after that.
   */
  private void updater() {
    var section = Values.ROOT + ".updater.";
    var interval = fields.integer(INTERVAL).filter(seconds -> seconds != 0);
    interval.ifPresent(seconds -> set(section + "interval", seconds + "s", file + ": " + INTERVAL));
    interval
        .filter(seconds -> seconds > 0 && seconds <= MAX_INTERVAL)
        .ifPresent(
            seconds -> set(section + "verify-after", seconds + 5 + "s", file + ": " + INTERVAL));
    fields
        .integer(MAX_RETRIES)
        .ifPresent(count -> set(section + "max-retries", count, file + ": " + MAX_RETRIES));
  }

  /** The provider's own order: workload identity, managed identity, service principal. */
  private void credential() {
    boolean workload = fields.flag("useFederatedWorkloadIdentityExtension");
    boolean managed = fields.flag("useManagedIdentityExtension");
    var assigned = fields.text("userAssignedIdentityID");
    var client = fields.text("aadClientId");
    var secret = fields.text(SECRET);
    boolean federated = !env.getOrDefault("AZURE_FEDERATED_TOKEN_FILE", "").isEmpty();
    putOrEnv("tenant-id", fields.text("tenantId"), "tenantId", "AZURE_TENANT_ID");
    if (workload || federated) {
      var from = file + ": useFederatedWorkloadIdentityExtension";
      set(
          SECTION + "credential",
          "workload-identity",
          workload ? from : "env AZURE_FEDERATED_TOKEN_FILE");
      putOrEnv("client-id", client, "aadClientId", "AZURE_CLIENT_ID");
    } else if (managed) {
      put("credential", Optional.of("managed-identity"), "useManagedIdentityExtension");
      put("client-id", assigned, "userAssignedIdentityID");
    } else {
      putOrEnv("client-id", client, "aadClientId", "AZURE_CLIENT_ID");
      putOrEnv("client-secret", secret, SECRET, "AZURE_CLIENT_SECRET");
      if (layer.hasPath(SECTION + "client-id") && layer.hasPath(SECTION + "client-secret")) {
        put("credential", Optional.of("client-secret"), SECRET);
      }
    }
  }

  private void copy(String key, String member) {
    put(key, fields.text(member), member);
  }

  private void put(String key, Optional<String> value, String from) {
    value.ifPresent(v -> set(SECTION + key, v, file + ": " + from));
  }

  private void putOrEnv(String key, Optional<String> value, String from, String variable) {
    var override = env.getOrDefault(variable, "");
    if (override.isEmpty()) {
      put(key, value, from);
    } else {
      set(SECTION + key, override, "env " + variable);
    }
  }

  private void set(String path, Object value, String origin) {
    layer = layer.withValue(path, ConfigValueFactory.fromAnyRef(value, origin));
  }
}
