package io.poolkeeper.armsim.throttle;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the throttles need to know of a request. Names are in one case.
 *
 * @param principal stands for who asks, by a guid; never a token
 * @param region of the network resource that it is about; empty if the network provider has no part
 *     in it
 */
public record Request(String subscription, String principal, Kind kind, Optional<String> region) {
  private static final Pattern SUBSCRIPTION = Pattern.compile("^/subscriptions/([^/]+)");
  private static final Pattern LOCATION = Pattern.compile("/locations/([^/]+)/");
  private static final String NETWORK = "/providers/microsoft.network/";

  /**
   * The request of a method to a path.
   *
   * @param home where the resource is if the path itself does not say; may be empty
   */
  public static Request of(String method, String rawPath, String principal, String home) {
    String path = rawPath.toLowerCase(Locale.ROOT);
    String region = found(LOCATION, path).orElse(home).replace(" ", "").toLowerCase(Locale.ROOT);
    return new Request(
        found(SUBSCRIPTION, path).orElse(""),
        principal,
        Kind.of(method),
        (path + "/").contains(NETWORK) ? Optional.of(region) : Optional.empty());
  }

  private static Optional<String> found(Pattern pattern, String path) {
    Matcher matcher = pattern.matcher(path);
    return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
  }
}
