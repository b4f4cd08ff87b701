package io.poolkeeper.config;

import io.poolkeeper.config.Settings.Authorization;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads the section {@code http}. */
final class HttpSection {
  private static final int MAX_PORT = 65_535;
  private static final String AUTHORIZATION = "http.authorization";

  private static final List<Map.Entry<String, Optional<Authorization>>> WORDS =
      List.of(
          Map.entry("auto", Optional.empty()),
          Map.entry("required", Optional.of(Authorization.REQUIRED)),
          Map.entry("metrics-open", Optional.of(Authorization.METRICS_OPEN)),
          Map.entry("off", Optional.of(Authorization.OFF)));

  private final Values values;
  private final boolean inPod;

  /** The kubelet names the API server to each container. */
  HttpSection(Values values, Map<String, String> env) {
    this.values = values;
    inPod = !env.getOrDefault("KUBERNETES_SERVICE_HOST", "").isBlank();
  }

  Settings.Http read() {
    var form = Pattern.compile("[^\\s/]+");
    var allowed = "an address or host name to listen on, such as 127.0.0.1";
    var host = values.required("http.host", form, allowed);
    int port = values.integer("http.port", 0, MAX_PORT);
    return new Settings.Http(
        host, port, probePort(port), authorization(host), values.flag("http.trust-loopback"));
  }

  /** Any free one would be known to nobody. */
  private Optional<Integer> probePort(int other) {
    var port = values.optionalInteger("http.probe-port", 1, MAX_PORT);
    if (port.isPresent() && port.get() == other) {
      values.reject("http.probe-port", "another port than http.port");
    }
    return port;
  }

  private Authorization authorization(String host) {
    var chosen = values.oneOf(AUTHORIZATION, WORDS, Optional.of(Authorization.REQUIRED));
    if (chosen.isEmpty() && !inPod && !values.rejected("http.host") && !loopback(host)) {
      values.reject(
          AUTHORIZATION,
          "required, metrics-open or off, as http.host %s is no loopback address and this is no pod"
              .formatted(host));
    }
    return chosen.orElse(inPod ? Authorization.REQUIRED : Authorization.OFF);
  }

  /** That of a URL has brackets around an address of IPv6. */
  private static boolean loopback(String host) {
    return Settings.isLoopback(host) || Settings.isLoopback("[" + host + "]");
  }
}
