package io.poolkeeper.arm.azure;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads ARM resource ids. Their fixed words come in any case; names keep the case they have. */
final class ResourceIds {
  private static final String LOAD_BALANCER =
      "/subscriptions/([^/]+)/resourceGroups/([^/]+)/providers/Microsoft\\.Network"
          + "/loadBalancers/([^/]+)";
  private static final Pattern LOAD_BALANCER_ID = ignoringCase(LOAD_BALANCER);
  private static final Pattern POOL_ID =
      ignoringCase(LOAD_BALANCER + "/backendAddressPools/([^/]+)");

  private ResourceIds() {}

  static Optional<LoadBalancerId> loadBalancer(String id) {
    return matched(LOAD_BALANCER_ID, id).map(ResourceIds::loadBalancer);
  }

  static Optional<PoolId> pool(String id) {
    return matched(POOL_ID, id).map(found -> loadBalancer(found).pool(found.group(4)));
  }

  /** The name of any resource. */
  static String name(String id) {
    return id.substring(id.lastIndexOf('/') + 1);
  }

  private static LoadBalancerId loadBalancer(Matcher found) {
    return new LoadBalancerId(found.group(1), found.group(2), found.group(3));
  }

  private static Optional<Matcher> matched(Pattern pattern, String id) {
    return Optional.of(pattern.matcher(id)).filter(Matcher::matches);
  }

  private static Pattern ignoringCase(String pattern) {
    return Pattern.compile(pattern, Pattern.CASE_INSENSITIVE);
  }
}
