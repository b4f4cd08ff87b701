package io.poolkeeper.armsim.identity;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The routes outside Resource Manager. Any first segment is accepted as a tenant. */
public sealed interface IdentityRoute {
  record Endpoints() implements IdentityRoute {}

  /** The configuration of a tenant's directory, for version 1 or 2 of the protocol. */
  record OpenIdConfiguration(String tenant, boolean v2) implements IdentityRoute {}

  record InstanceDiscovery() implements IdentityRoute {}

  record Keys() implements IdentityRoute {}

  record Token(String tenant, boolean v2) implements IdentityRoute {}

  /** The token endpoint of a machine's managed identity. */
  record ManagedIdentity() implements IdentityRoute {}

  Pattern IN_TENANT =
      Pattern.compile(
          "/(?<tenant>[\\w.-]{1,128})/(?<v2>v2\\.0/)?(?:"
              + "(?<config>\\.well-known/openid-configuration)"
              + "|oauth2/(?<token>v2\\.0/)?token)/?");
  Pattern KEYS = Pattern.compile("(?:/[\\w.-]{1,128})?/discovery/(?:v2\\.0/)?keys");
  Pattern MANAGED = Pattern.compile("/metadata/identity/oauth2/token|/msi/token");

  static Optional<IdentityRoute> parse(String rawPath) {
    // Some clients send a double slash between address and path.
    String path = rawPath.replaceAll("^/{2,}", "/");
    if (path.equals("/metadata/endpoints")) {
      return Optional.of(new Endpoints());
    }
    if (MANAGED.matcher(path).matches()) {
      return Optional.of(new ManagedIdentity());
    }
    if (path.equals("/common/discovery/instance")) {
      return Optional.of(new InstanceDiscovery());
    }
    if (KEYS.matcher(path).matches()) {
      return Optional.of(new Keys());
    }
    return inTenant(path);
  }

  private static Optional<IdentityRoute> inTenant(String path) {
    Matcher found = IN_TENANT.matcher(path);
    if (!found.matches()) {
      return Optional.empty();
    }
    String tenant = found.group("tenant");
    if (found.group("config") != null) {
      return Optional.of(new OpenIdConfiguration(tenant, found.group("v2") != null));
    }
    return found.group("v2") == null
        ? Optional.of(new Token(tenant, found.group("token") != null))
        : Optional.empty();
  }
}
