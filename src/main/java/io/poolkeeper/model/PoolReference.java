package io.poolkeeper.model;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A backend pool as a binding names it.
 *
 * @param subscription said by a full id only
 * @param resourceGroup empty: that of the configured load balancers
 */
public record PoolReference(
    Optional<String> subscription,
    Optional<String> resourceGroup,
    String loadBalancer,
    String pool) {
  private static final Pattern ID =
      Pattern.compile(
          "/subscriptions/([^/]+)/resourceGroups/([^/]+)/providers/Microsoft\\.Network"
              + "/loadBalancers/([^/]+)/backendAddressPools/([^/]+)",
          Pattern.CASE_INSENSITIVE);

  /** Empty if the text is no full ARM id of a backend pool. */
  public static Optional<PoolReference> parse(String id) {
    Matcher parts = ID.matcher(id);
    return parts.matches()
        ? Optional.of(
            new PoolReference(
                Optional.of(parts.group(1)),
                Optional.of(parts.group(2)),
                parts.group(3),
                parts.group(4)))
        : Optional.empty();
  }

  /** The pool, with what is configured where the reference says nothing. */
  public PoolId in(String configuredSubscription, String configuredGroup) {
    return new LoadBalancerId(
            subscription.orElse(configuredSubscription),
            resourceGroup.orElse(configuredGroup),
            loadBalancer)
        .pool(pool);
  }
}
