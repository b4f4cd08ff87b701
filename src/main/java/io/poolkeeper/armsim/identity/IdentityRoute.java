package io.poolkeeper.armsim.identity;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a path outside Resource Manager's names. Any first segment will do as a tenant. */
public sealed interface IdentityRoute {
  /** The description of the cloud. */
  record Endpoints() implements IdentityRoute {}

  /** What is known about a tenant's directory, for the protocol of version 1 or 2. */
  record OpenIdConfiguration(String tenant, boolean v2) implements IdentityRoute {}

  /** Which names one directory has. */
  record InstanceDiscovery() implements IdentityRoute {}

  /** The keys that tokens are signed with. */
  record Keys() implements IdentityRoute {}

  /** Where tokens are issued. */
  record Token(String tenant, boolean v2) implements IdentityRoute {}

  /** Where a machine gets a token for itself. */
  record ManagedIdentity() implements IdentityRoute {}

  Pattern IN_TENANT =
      Pattern.compile(
          "/(?<tenant>[\\w.-]{1,128})/(?<v2>v2\\.0/)?(?:"
              + "(?<config>\\.well-known/openid-configuration)"
              + "|oauth2/(?<token>v2\\.0/)?token)/?");
  Pattern KEYS = Pattern.compile("(?:/[\\w.-]{1,128})?/discovery/(?:v2\\.0/)?keys");
  Pattern MANAGED = Pattern.compile("/metadata/identity/oauth2/token|/msi/token");

  /** Reads a path without its query; empty if it is none of these. */
  static Optional<IdentityRoute> parse(String rawPath) {
    // Some clients join the address and the path with one slash too many.
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
