package io.poolkeeper.arm.azure;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolReference;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * ARM resource ids as ids of the model. Their fixed words come in any case; names keep the case
 * they have.
 */
final class ArmIds {
  private static final Pattern IP_CONFIGURATION =
      Pattern.compile(
          "(?i)(/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft\\.Network"
              + "/networkInterfaces/[^/]+)/ipConfigurations/[^/]+");

  private ArmIds() {}

  static Optional<LoadBalancerId> loadBalancer(String id) {
    // The id of a pool begins with that of its load balancer. The pool's name does not matter.
    return pool(id + "/backendAddressPools/pool").map(PoolId::loadBalancer);
  }

  static Optional<PoolId> pool(String id) {
    // An id of ARM names its subscription and group, so that no default is needed.
    return PoolReference.parse(id).map(found -> found.in("", ""));
  }

  /** The path of the interface that has an IP configuration; empty for scale sets. */
  static Optional<String> networkInterface(String ipConfigurationId) {
    return Optional.of(IP_CONFIGURATION.matcher(ipConfigurationId))
        .filter(Matcher::matches)
        .map(found -> found.group(1));
  }

  static String name(String id) {
    return id.substring(id.lastIndexOf('/') + 1);
  }
}
