package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ArmError;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.armsim.protocol.ResourceId;
import io.poolkeeper.model.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The providers that exist, and the types of those whose types are all known; the others accept
 * every type. All are registered in every subscription.
 */
public final class Providers {
  static final String NETWORK = "Microsoft.Network";
  static final String COMPUTE = "Microsoft.Compute";

  private static final List<String> VERSIONS =
      List.of("2025-05-01", "2024-07-01", "2024-05-01", "2024-03-01", "2023-09-01", "2022-11-01");

  private static final Map<String, List<String>> TYPES =
      Map.of(
          NETWORK,
          words(
              """
              loadBalancers publicIPAddresses publicIPPrefixes customIpPrefixes virtualNetworks
              networkInterfaces networkSecurityGroups applicationSecurityGroups routeTables
              routeFilters natGateways applicationGateways privateEndpoints privateLinkServices
              privateDnsZones dnsZones dnsResolvers dnsForwardingRulesets virtualNetworkGateways
              localNetworkGateways connections expressRouteCircuits expressRouteGateways
              networkWatchers networkManagers networkProfiles networkVirtualAppliances
              azureFirewalls firewallPolicies bastionHosts ddosProtectionPlans ddosCustomPolicies
              serviceEndpointPolicies serviceGateways ipGroups ipAllocations virtualNetworkTaps
              virtualRouters virtualWans virtualHubs vpnSites vpnGateways p2sVpnGateways
              securityPartnerProviders trafficManagerProfiles frontDoors dscpConfigurations
              networkSecurityPerimeters locations\
              """),
          COMPUTE,
          words(
              """
              virtualMachines virtualMachineScaleSets availabilitySets disks snapshots images
              galleries proximityPlacementGroups sshPublicKeys hostGroups diskAccesses
              diskEncryptionSets capacityReservationGroups restorePointCollections cloudServices
              skus locations\
              """));

  private static final List<String> OPEN =
      words(
          """
          Microsoft.Resources Microsoft.Storage Microsoft.Authorization Microsoft.ManagedIdentity
          Microsoft.ContainerService Microsoft.ContainerRegistry Microsoft.KeyVault
          Microsoft.Insights Microsoft.OperationalInsights Microsoft.OperationsManagement
          Microsoft.AlertsManagement Microsoft.PolicyInsights Microsoft.Kubernetes
          Microsoft.KubernetesConfiguration Microsoft.Web Microsoft.Sql Microsoft.DBforPostgreSQL
          Microsoft.DocumentDB Microsoft.Cache Microsoft.EventHub Microsoft.ServiceBus
          Microsoft.Monitor Microsoft.Security Microsoft.Features Microsoft.Cdn\
          """);

  /** Providers whose resources are settings of other resources, without a location. */
  private static final Set<String> UNLOCATED =
      Set.of(
          "Microsoft.Resources",
          "Microsoft.Authorization",
          "Microsoft.Features",
          "Microsoft.PolicyInsights",
          "Microsoft.Security");

  private static final Map<String, String> NAMESPACES =
      Stream.concat(TYPES.keySet().stream(), OPEN.stream())
          .collect(Collectors.toUnmodifiableMap(Names::fold, name -> name));

  private Providers() {}

  /**
   * The id with namespace and known types in Azure's spelling, but for the type that a list has no
   * name for; unknown ones are refused.
   */
  public static ResourceId canonical(ResourceId id) {
    String namespace = namespace(id.namespace());
    List<String> spelled = new ArrayList<>(id.types());
    spelled.set(0, topLevel(namespace, id.types().getFirst()));
    spelled.subList(0, id.names().size()).replaceAll(Embedded::spelled);
    return id.spelled(namespace, spelled);
  }

  /** Whether every top-level resource of the provider has a location. */
  static boolean locates(String namespace) {
    return !UNLOCATED.contains(namespace);
  }

  /** The documents of all providers, in the order of their names. */
  public static List<ObjectNode> documents(String subscription) {
    return NAMESPACES.values().stream().sorted().map(name -> describe(subscription, name)).toList();
  }

  public static ObjectNode document(String subscription, String namespace) {
    return describe(subscription, namespace(namespace));
  }

  private static ObjectNode describe(String subscription, String namespace) {
    ObjectNode document = ArmJson.MAPPER.createObjectNode();
    document.put("id", "/subscriptions/" + subscription + "/providers/" + namespace);
    document.put("namespace", namespace);
    document.put("registrationState", "Registered");
    document.put("registrationPolicy", "RegistrationRequired");
    ArrayNode types = document.putArray("resourceTypes");
    for (String type : TYPES.getOrDefault(namespace, List.of())) {
      ObjectNode entry = types.addObject().put("resourceType", type);
      Regions.names().forEach(entry.putArray("locations")::add);
      VERSIONS.forEach(entry.putArray("apiVersions")::add);
      entry.put("capabilities", "SupportsTags, SupportsLocation");
    }
    return document;
  }

  private static String namespace(String given) {
    return Optional.ofNullable(NAMESPACES.get(Names.fold(given)))
        .orElseThrow(() -> ArmError.NO_NAMESPACE.refused(given));
  }

  private static String topLevel(String namespace, String given) {
    List<String> known = TYPES.getOrDefault(namespace, List.of());
    return known.isEmpty()
        ? given
        : known.stream()
            .filter(given::equalsIgnoreCase)
            .findFirst()
            .orElseThrow(() -> ArmError.NO_TYPE.refused(given, namespace));
  }

  private static List<String> words(String text) {
    return List.of(text.strip().split("\\s+"));
  }
}
