package io.poolkeeper.config;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValueFactory;
import io.poolkeeper.pool.PoolLimits;
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

  /** The member with a service principal's secret. */
  static final String SECRET = "aadClientSecret";

  private static final String NETWORK = "networkResourceSubscriptionID";
  private static final String INTERVAL = "loadBalancerBackendPoolUpdateIntervalInSeconds";
  private static final String MAX_RETRIES = "loadBalancerBackendPoolUpdateMaxRetries";
  private static final String EXCLUDE_MASTER = "excludeMasterFromStandardLB";
  private static final String ADMIN_STATE = "loadBalancerAdminStateEnabled";
  private static final String POOL_TYPE = "loadBalancerBackendPoolConfigurationType";
  private static final String BALANCERS = "multipleStandardLoadBalancerConfigurations";
  private static final Set<String> POOL_TYPES = Set.of("nodeipconfiguration", "nodeip", "podip");
  private static final String WORKLOAD = "useFederatedWorkloadIdentityExtension";
  private static final String MANAGED = "useManagedIdentityExtension";
  private static final String TOKEN_FILE = "AZURE_FEDERATED_TOKEN_FILE";

  private final JsonFields json;
  private final Map<String, String> env;
  private final List<String> warnings;
  private Config layer = ConfigFactory.empty();

  private AzureJson(JsonFields json, Map<String, String> env, List<String> warnings) {
    this.json = json;
    this.env = env;
    this.warnings = warnings;
  }

  /**
   * Reads the layer. Errors are added to the problems, and what has no effect to the warnings.
   *
   * @param set the configuration file over the defaults, without this layer
   */
  static Config read(
      Path path,
      Map<String, String> env,
      Config set,
      List<Problem> problems,
      List<String> warnings) {
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
    var json = new JsonFields(root.get(), file, "", problems);
    return new AzureJson(json, env, warnings)
        .translate()
        .withFallback(RateLimits.read(json, set, warnings));
  }

  /** The secret of the service principal; empty if the file cannot be read or has none. */
  record Secret(Path file) implements Supplier<Optional<String>> {
    @Override
    public Optional<String> get() {
      List<Problem> problems = new ArrayList<>();
      return parse(file, problems)
          .flatMap(root -> new JsonFields(root, file.toString(), "", problems).text(SECRET))
          .filter(secret -> problems.isEmpty());
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
    var subscription = json.text("subscriptionId");
    var group = json.text("resourceGroup").map(name -> name.toLowerCase(Locale.ROOT));
    // Load balancers are in the network subscription, but the provider looks for the virtual
    // network in the cluster's subscription.
    put("azure.subscription-id", subscription, "subscriptionId");
    put("azure.subscription-id", json.text(NETWORK), NETWORK);
    put("azure.resource-group", group, "resourceGroup");
    copy("azure.load-balancer-resource-group", "loadBalancerResourceGroup");
    var vnetGroup = json.text("vnetResourceGroup").or(() -> group);
    var vnetName = json.text("vnetName");
    if (subscription.isPresent() && vnetGroup.isPresent() && vnetName.isPresent()) {
      var id =
          "/subscriptions/%s/resourceGroups/%s/providers/Microsoft.Network/virtualNetworks/%s"
              .formatted(subscription.get(), vnetGroup.get(), vnetName.get());
      put("azure.vnet-id", Optional.of(id), "vnetName");
    }
    copy("azure.cloud", "cloud");
    copy("azure.endpoint", "resourceManagerEndpoint");
    loadBalancers();
    updater();
    json.flag(EXCLUDE_MASTER)
        .filter(excluded -> !excluded)
        .ifPresent(
            excluded ->
                warnings.add(
                    from(EXCLUDE_MASTER)
                        + " is false, which concerns pools of network interfaces: nodes of the"
                        + " control plane get no entry in pools of IP addresses, as from"
                        + " cloud-provider-azure"));
    put("admin-state.enabled", json.flag(ADMIN_STATE), ADMIN_STATE);
    credential();
    return layer;
  }

  private void loadBalancers() {
    json.text("loadBalancerSku")
        .filter(sku -> !sku.equalsIgnoreCase("standard"))
        .ifPresent(sku -> json.reject("loadBalancerSku", sku, "standard"));
    var names = new ArrayList<String>();
    for (var balancer : json.objects(BALANCERS)) {
      balancer
          .text("name")
          .ifPresentOrElse(
              names::add, () -> balancer.reject("name", "nothing", "the load balancer's name"));
    }
    put("azure.load-balancers", Optional.of(names).filter(list -> !list.isEmpty()), BALANCERS);
    var type = json.text(POOL_TYPE).orElse("nodeIP").toLowerCase(Locale.ROOT);
    if (!POOL_TYPES.contains(type)) {
      json.reject(POOL_TYPE, type, "nodeIP, podIP or nodeIPConfiguration");
    } else if (type.equals("nodeipconfiguration") && !names.isEmpty()) {
      json.reject(POOL_TYPE, "nodeIPConfiguration", "nodeIP, as " + BALANCERS + " is given");
    }
  }

  /**
   * Zero retries means none, unlike the interval's zero, which means unset. The provider's own
   * updater may act on a change an interval after it: pools are looked at after that. An interval
   * that is too long is refused where it is read.
   */
  private void updater() {
    var interval = json.integer(INTERVAL).filter(seconds -> seconds != 0);
    var known =
        interval.filter(seconds -> seconds > 0 && seconds <= PoolLimits.INTERVAL.max().toSeconds());
    put("updater.interval", interval.map(seconds -> seconds + "s"), INTERVAL);
    put("updater.verify-after", known.map(seconds -> seconds + 5 + "s"), INTERVAL);
    put("updater.max-retries", json.integer(MAX_RETRIES), MAX_RETRIES);
  }

  /** The provider's own order: workload identity, managed identity, service principal. */
  private void credential() {
    boolean workload = json.flag(WORKLOAD).orElse(false);
    boolean managed = json.flag(MANAGED).orElse(false);
    var assigned = json.text("userAssignedIdentityID");
    var client = json.text("aadClientId");
    var secret = json.text(SECRET);
    putOrEnv("azure.tenant-id", json.text("tenantId"), "tenantId", "AZURE_TENANT_ID");
    if (workload || !env.getOrDefault(TOKEN_FILE, "").isEmpty()) {
      set("azure.credential", "workload-identity", workload ? from(WORKLOAD) : "env " + TOKEN_FILE);
      putOrEnv("azure.client-id", client, "aadClientId", "AZURE_CLIENT_ID");
    } else if (managed) {
      put("azure.credential", Optional.of("managed-identity"), MANAGED);
      put("azure.client-id", assigned, "userAssignedIdentityID");
    } else {
      boolean id = putOrEnv("azure.client-id", client, "aadClientId", "AZURE_CLIENT_ID");
      if (putOrEnv("azure.client-secret", secret, SECRET, "AZURE_CLIENT_SECRET") && id) {
        put("azure.credential", Optional.of("client-secret"), SECRET);
      }
    }
  }

  private void copy(String key, String member) {
    put(key, json.text(member), member);
  }

  private void put(String key, Optional<?> value, String member) {
    value.ifPresent(present -> set(key, present, from(member)));
  }

  /** Sets a key by a member, or by the environment, which wins; returns whether it has a value. */
  private boolean putOrEnv(String key, Optional<String> value, String member, String variable) {
    var override = env.getOrDefault(variable, "");
    put(key, value, member);
    if (!override.isEmpty()) {
      set(key, override, "env " + variable);
    }
    return value.isPresent() || !override.isEmpty();
  }

  private void set(String key, Object value, String origin) {
    layer = layer.withValue(Values.ROOT + "." + key, ConfigValueFactory.fromAnyRef(value, origin));
  }

  private String from(String member) {
    return json.file() + ": " + member;
  }
}
