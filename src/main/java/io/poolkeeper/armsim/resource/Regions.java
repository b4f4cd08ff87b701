package io.poolkeeper.armsim.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ArmJson;
import java.util.List;

/**
 * The documents above the resource groups: some regions, the one tenant, and subscriptions, each of
 * which exists as soon as it is used.
 */
public final class Regions {
  /** The only tenant. */
  public static final String TENANT = "11111111-1111-4111-8111-111111111111";

  private static final List<Region> ALL =
      List.of(
          new Region("eastus", "East US"),
          new Region("eastus2", "East US 2"),
          new Region("westus2", "West US 2"),
          new Region("westcentralus", "West Central US"),
          new Region("northeurope", "North Europe"),
          new Region("westeurope", "West Europe"),
          new Region("germanywestcentral", "Germany West Central"),
          new Region("southeastasia", "Southeast Asia"));

  private Regions() {}

  private record Region(String name, String shown) {}

  static List<String> names() {
    return ALL.stream().map(Region::shown).toList();
  }

  public static List<ObjectNode> locations(String subscription) {
    return ALL.stream().map(region -> location(subscription, region)).toList();
  }

  private static ObjectNode location(String subscription, Region region) {
    ObjectNode document = ArmJson.MAPPER.createObjectNode();
    document.put("id", "/subscriptions/" + subscription + "/locations/" + region.name());
    document.put("name", region.name()).put("type", "Region");
    document.put("displayName", region.shown()).put("regionalDisplayName", region.shown());
    document.putObject("metadata").put("regionType", "Physical");
    return document;
  }

  public static ObjectNode subscription(String id) {
    ObjectNode document = ArmJson.MAPPER.createObjectNode();
    document.put("id", "/subscriptions/" + id);
    document.put("authorizationSource", "RoleBased").putArray("managedByTenants");
    document.put("subscriptionId", id).put("tenantId", TENANT);
    document.put("displayName", "Simulated subscription").put("state", "Enabled");
    document
        .putObject("subscriptionPolicies")
        .put("locationPlacementId", "Public_2014-09-01")
        .put("quotaId", "PayAsYouGo_2014-09-01")
        .put("spendingLimit", "Off");
    return document;
  }

  public static ObjectNode tenant() {
    ObjectNode document = ArmJson.MAPPER.createObjectNode();
    document.put("id", "/tenants/" + TENANT).put("tenantId", TENANT);
    return document.put("tenantCategory", "Home").put("displayName", "Simulated tenant");
  }
}
