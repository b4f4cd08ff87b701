package io.poolkeeper.armsim.throttle;

import io.poolkeeper.armsim.protocol.Links;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A request for the throttles. Names are in one case.
 *
 * @param principal a guid that identifies the caller; never a token
 * @param region of the network resource; empty if the network provider is not involved
 */
public record Request(String subscription, String principal, Kind kind, Optional<String> region) {
  private static final Pattern SUBSCRIPTION = Pattern.compile("^/subscriptions/([^/]+)");
  private static final Pattern LOCATION = Pattern.compile("/locations/([^/]+)/");
  private static final String NETWORK = "/providers/microsoft.network/";

  /** {@code home} is the resource's region if the path has none; may be empty. */
  public static Request of(String method, String rawPath, String principal, String home) {
    String path = rawPath.toLowerCase(Locale.ROOT);
    String region = Links.place(found(LOCATION, path).orElse(home));
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

  /** The kinds of requests with separate counts. */
  public enum Kind {
    READ,
    WRITE,
    DELETE;

    /** The kind of an HTTP method; polls of operations are reads like any GET. */
    public static Kind of(String method) {
      return switch (method.toUpperCase(Locale.ROOT)) {
        case "GET", "HEAD", "OPTIONS" -> READ;
        case "DELETE" -> DELETE;
        default -> WRITE;
      };
    }

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    String plural() {
      return word() + "s";
    }
  }
}
