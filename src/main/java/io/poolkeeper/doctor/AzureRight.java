package io.poolkeeper.doctor;

import io.poolkeeper.arm.Azure;
import io.poolkeeper.arm.AzureAction;
import io.poolkeeper.config.Settings;
import io.poolkeeper.model.Names;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A right at Azure that the settings need: the only list of them.
 *
 * @param scopes where; empty if the settings do not say it
 */
public record AzureRight(AzureAction action, List<String> scopes, Need need) {
  /** What cannot be done without the right. */
  public enum Need {
    /** Pools cannot be kept. */
    REQUIRED,
    /** Some of the work. */
    USEFUL,
    /** Nothing in shadow mode; mode = write needs it. */
    LATER
  }

  /** The most load balancers whose rights are read one by one. */
  private static final int MOST = 32;

  public AzureRight {
    scopes = List.copyOf(scopes);
  }

  /** All that the settings need, and in shadow mode what mode = write will. */
  public static List<AzureRight> of(Settings settings) {
    Azure azure = settings.azure();
    String subscription = "/subscriptions/" + azure.subscriptionId();
    List<String> groups = groups(settings).stream().map(group -> scope(azure, group)).toList();
    List<String> pools =
        Stream.concat(balancers(settings), groups.stream().skip(1)).distinct().toList();
    List<AzureRight> rights = new ArrayList<>();
    rights.add(new AzureRight(AzureAction.LIST, groups, Need.REQUIRED));
    rights.add(new AzureRight(AzureAction.READ_POOL, pools, Need.REQUIRED));
    Need toWrite = settings.shadow() ? Need.LATER : Need.REQUIRED;
    rights.add(new AzureRight(AzureAction.WRITE_POOL, pools, toWrite));
    rights.add(new AzureRight(AzureAction.JOIN, azure.vnetId().stream().toList(), toWrite));
    Need toFollow = settings.shadow() ? Need.LATER : Need.USEFUL;
    rights.add(new AzureRight(AzureAction.FOLLOW_WRITE, List.of(subscription), toFollow));
    if (settings.nodes().enabled()) {
      String nodes = scope(azure, azure.resourceGroup());
      rights.add(new AzureRight(AzureAction.READ_INTERFACE, List.of(nodes), Need.USEFUL));
    }
    return List.copyOf(rights);
  }

  /** The resource groups in which load balancers are listed, the configured one first. */
  static List<String> groups(Settings settings) {
    Map<String, String> groups = new LinkedHashMap<>();
    String first = settings.azure().loadBalancerResourceGroup();
    groups.put(Names.fold(first), first);
    if (settings.admission().enabled()) {
      settings.allowedPools().groups().stream()
          .sorted()
          .forEach(group -> groups.putIfAbsent(group, group));
    }
    return List.copyOf(groups.values());
  }

  /** A right may be given at a load balancer alone. */
  private static Stream<String> balancers(Settings settings) {
    String group = scope(settings.azure(), settings.azure().loadBalancerResourceGroup());
    return names(settings).stream()
        .limit(MOST)
        .map(name -> group + "/providers/Microsoft.Network/loadBalancers/" + name);
  }

  /** The load balancers to manage, without {@code -internal}. */
  static List<String> names(Settings settings) {
    List<String> configured = settings.azure().loadBalancers();
    return configured.isEmpty() ? List.of(settings.clusterName()) : configured;
  }

  static String scope(Azure azure, String group) {
    return "/subscriptions/%s/resourceGroups/%s".formatted(azure.subscriptionId(), group);
  }

  /** The resource group of a scope; empty if it is a subscription. */
  static Optional<String> group(String scope) {
    String[] parts = scope.split("/", -1);
    return parts.length < 5
        ? Optional.empty()
        : Optional.of(String.join("/", List.of(parts).subList(0, 5)));
  }
}
