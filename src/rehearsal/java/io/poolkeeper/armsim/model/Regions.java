package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ArmJson;
import java.util.List;
import java.util.Map;

/**
 * The documents above the resource groups: some regions, the one tenant, and subscriptions, each of
 * which exists as soon as it is used.
 */
public final class Regions {
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
    return ArmJson.object(
        """
        {"id": "/subscriptions/$subscription/locations/$name", "name": "$name", "type": "Region",
         "displayName": "$shown", "regionalDisplayName": "$shown",
         "metadata": {"regionType": "Physical"}}
        """,
        Map.of("subscription", subscription, "name", region.name(), "shown", region.shown()));
  }

  public static ObjectNode subscription(String id) {
    return ArmJson.object(
        """
        {"id": "/subscriptions/$id", "authorizationSource": "RoleBased", "managedByTenants": [],
         "subscriptionId": "$id", "tenantId": "$tenant",
         "displayName": "Simulated subscription", "state": "Enabled",
         "subscriptionPolicies": {"locationPlacementId": "Public_2014-09-01",
           "quotaId": "PayAsYouGo_2014-09-01", "spendingLimit": "Off"}}
        """,
        Map.of("id", id, "tenant", TENANT));
  }

  public static ObjectNode tenant() {
    return ArmJson.object(
        """
        {"id": "/tenants/$tenant", "tenantId": "$tenant", "tenantCategory": "Home",
         "displayName": "Simulated tenant"}
        """,
        Map.of("tenant", TENANT));
  }
}
