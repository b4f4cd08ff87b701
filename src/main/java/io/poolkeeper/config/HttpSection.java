package io.poolkeeper.config;

import java.util.Optional;
import java.util.regex.Pattern;

/** Reads the section {@code http}. */
final class HttpSection {
  private static final int MAX_PORT = 65_535;

  private final Values values;

  HttpSection(Values values) {
    this.values = values;
  }

  Settings.Http read() {
    var form = Pattern.compile("[^\\s/]+");
    var allowed = "an address or host name to listen on, such as 127.0.0.1";
    var host = values.required("http.host", form, allowed);
    int port = values.integer("http.port", 0, MAX_PORT);
    return new Settings.Http(host, port, probePort(port));
  }

  /** Any free one would be known to nobody. */
  private Optional<Integer> probePort(int other) {
    var port = values.optionalInteger("http.probe-port", 1, MAX_PORT);
    if (port.isPresent() && port.get() == other) {
      values.reject("http.probe-port", "another port than http.port");
    }
    return port;
  }
}
