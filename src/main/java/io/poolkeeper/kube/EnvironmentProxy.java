package io.poolkeeper.kube;

import io.fabric8.kubernetes.client.utils.IpAddressMatcher;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.Loopback;
import java.net.URI;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The proxy that the environment names for a server, by the rules of Go, and so of {@code kubectl}:
 * the upper-case variable before the lower-case one, no proxy to this machine, and none to what
 * {@code NO_PROXY} lists.
 */
final class EnvironmentProxy {
  private EnvironmentProxy() {}

  /** The proxy for a server, as the variable has it; empty for none. */
  static Optional<String> find(URI server, Map<String, String> environment) {
    String scheme = server.getScheme().toUpperCase(Locale.ROOT);
    return variable(environment, scheme + "_PROXY")
        .filter(proxy -> !Loopback.is(server))
        .filter(proxy -> !excluded(server, variable(environment, "NO_PROXY").orElse("")));
  }

  private static Optional<String> variable(Map<String, String> environment, String name) {
    return Stream.of(name, name.toLowerCase(Locale.ROOT))
        .map(spelling -> environment.getOrDefault(spelling, "").strip())
        .filter(value -> !value.isEmpty())
        .findFirst();
  }

  private static boolean excluded(URI server, String list) {
    int defaultPort = server.getScheme().equalsIgnoreCase("https") ? 443 : 80;
    int port = server.getPort() >= 0 ? server.getPort() : defaultPort;
    String host = bareHost(server.getHost());
    return Stream.of(list.toLowerCase(Locale.ROOT).split(",", -1))
        .map(String::strip)
        .filter(entry -> !entry.isEmpty())
        .anyMatch(entry -> matches(entry, host, port));
  }

  /** The host in lower case, and an address of IPv6 without its brackets. */
  private static String bareHost(String host) {
    String lower = host.toLowerCase(Locale.ROOT);
    return lower.startsWith("[") ? lower.substring(1, lower.length() - 1) : lower;
  }

  /** Whether an entry of {@code NO_PROXY} means a host and a port. */
  private static boolean matches(String entry, String host, int port) {
    if (entry.equals("*")) {
      return true;
    }
    Optional<Address> address = Address.parse(host);
    if (entry.contains("/")) {
      return address.isPresent() && inRange(entry, address.get());
    }
    // One colon, or a bracket before the last one, separates a port.
    int colon = entry.lastIndexOf(':');
    boolean withPort = colon > 0 && (entry.indexOf(':') == colon || entry.charAt(colon - 1) == ']');
    String name = bareHost(withPort ? entry.substring(0, colon) : entry);
    if (withPort && !entry.substring(colon + 1).equals(String.valueOf(port))) {
      return false;
    }
    if (address.isPresent()) {
      return address.equals(Address.parse(name));
    }
    if (name.startsWith("*.") || name.startsWith(".")) {
      return host.endsWith(name.substring(name.indexOf('.')));
    }
    return host.equals(name) || host.endsWith("." + name);
  }

  private static boolean inRange(String range, Address host) {
    int slash = range.indexOf('/');
    String bits = range.substring(slash + 1);
    int maxBits = host.family() == IpFamily.IPV4 ? 32 : 128;
    Optional<IpFamily> family = Address.parse(range.substring(0, slash)).map(Address::family);
    return family.filter(host.family()::equals).isPresent()
        && bits.matches("\\d{1,3}")
        && Integer.parseInt(bits) <= maxBits
        && new IpAddressMatcher(range).matches(host.canonical());
  }
}
