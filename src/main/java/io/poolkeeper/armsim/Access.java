package io.poolkeeper.armsim;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Whether a simulator uses http or https, and whether it requires tokens. A certificate file needs
 * https.
 *
 * @param tls whether it uses https, with a certificate of its own authority
 * @param caFile where the authority's certificate is written; empty = a fresh temporary file
 * @param tokenRequired whether Resource Manager's routes refuse a call without a bearer token
 */
public record Access(boolean tls, Optional<Path> caFile, boolean tokenRequired) {
  /** Plain http without tokens. */
  public static final Access OPEN = new Access(false, Optional.empty(), false);

  public Access {
    if (caFile.isPresent() && !tls) {
      throw new IllegalArgumentException("a file for the CA certificate needs TLS");
    }
  }

  public Access withTls(Optional<Path> file) {
    return new Access(true, file, tokenRequired);
  }

  public Access withTokenRequired() {
    return new Access(tls, caFile, true);
  }

  String scheme() {
    return tls ? "https" : "http";
  }
}
