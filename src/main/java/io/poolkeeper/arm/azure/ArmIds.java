package io.poolkeeper.arm.azure;

import com.azure.resourcemanager.resources.fluentcore.arm.ResourceId;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * ARM resource ids as ids of the model. Their fixed words come in any case; names keep the case
 * they have.
 */
final class ArmIds {
  private static final String LOAD_BALANCER = "Microsoft.Network/loadBalancers";
  private static final String POOL = LOAD_BALANCER + "/backendAddressPools";

  private static final String IP_CONFIGURATION =
      "Microsoft.Network/networkInterfaces/ipConfigurations";

  private ArmIds() {}

  static Optional<LoadBalancerId> loadBalancer(@Nullable String id) {
    return parsed(id, LOAD_BALANCER).map(ArmIds::loadBalancer);
  }

  static Optional<PoolId> pool(@Nullable String id) {
    return parsed(id, POOL).map(pool -> loadBalancer(pool.parent()).pool(pool.name()));
  }

  /** The path of the network interface that has an IP configuration; no scale set's. */
  static Optional<String> networkInterface(String ipConfigurationId) {
    return parsed(ipConfigurationId, IP_CONFIGURATION).map(found -> found.parent().id());
  }

  /** The name of any resource. */
  static String name(String id) {
    return id.substring(id.lastIndexOf('/') + 1);
  }

  private static LoadBalancerId loadBalancer(ResourceId id) {
    return new LoadBalancerId(id.subscriptionId(), id.resourceGroupName(), id.name());
  }

  private static Optional<ResourceId> parsed(@Nullable String id, String type) {
    try {
      return Optional.ofNullable(id)
          .map(ResourceId::fromString)
          .filter(found -> type.equalsIgnoreCase(found.fullResourceType()));
    } catch (IllegalArgumentException notOfArm) {
      return Optional.empty();
    }
  }
}
