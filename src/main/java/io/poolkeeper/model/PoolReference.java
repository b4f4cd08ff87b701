package io.poolkeeper.model;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A backend pool as a binding names it.
 *
 * @param subscription empty unless a full id names the pool
 * @param resourceGroup empty: that of the configured load balancers
 */
public record PoolReference(
    Optional<String> subscription,
    Optional<String> resourceGroup,
    String loadBalancer,
    String pool) {
  /**
   * A name of an Azure resource or resource group, in Java and in RE2. The marks belong to letters
   * of some languages.
   */
  public static final String NAME = "[\\p{L}\\p{M}\\p{Nd}_.()-]*[\\p{L}\\p{M}\\p{Nd}_()-]";

  /** What {@link #NAME} says. */
  public static final String OF_NAMES =
      "names consist of letters, digits and _ - . ( ), and end with no period";

  private static final Pattern ID =
      Pattern.compile(
          "/subscriptions/([^/]+)/resourceGroups/([^/]+)/providers/Microsoft\\.Network"
              + "/loadBalancers/([^/]+)/backendAddressPools/([^/]+)",
          Pattern.CASE_INSENSITIVE);
  private static final Pattern NAMED = Pattern.compile(NAME);

  /** Empty if the text is no full ARM id of a backend pool. */
  public static Optional<PoolReference> parse(String id) {
    Matcher parts = ID.matcher(id);
    if (!parts.matches()) {
      return Optional.empty();
    }
    Optional<String> subscription = Optional.of(parts.group(1));
    Optional<String> group = Optional.of(parts.group(2));
    return Optional.of(new PoolReference(subscription, group, parts.group(3), parts.group(4)));
  }

  /** A name that nothing in Azure has, if there is one: it may be text for a shell. */
  public Optional<String> wrongName() {
    return Stream.concat(
            Stream.concat(subscription.stream(), resourceGroup.stream()),
            Stream.of(loadBalancer, pool))
        .filter(name -> !NAMED.matcher(name).matches())
        .findFirst();
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
