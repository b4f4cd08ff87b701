package io.poolkeeper.armsim;

import java.nio.file.Path;
import java.util.Optional;

/**
 * How a simulator is reached: by http or https, and by whom. A file for the authority's certificate
 * goes with https only.
 *
 * @param tls whether it speaks https, with a certificate of its own authority
 * @param caFile where the authority's certificate is written; empty = a fresh temporary file
 * @param tokenRequired whether Resource Manager's routes refuse a call without a bearer token
 */
public record Access(boolean tls, Optional<Path> caFile, boolean tokenRequired) {
  /** Plain http for everybody on this machine. */
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

  /** Of every link that points here. */
  String scheme() {
    return tls ? "https" : "http";
  }
}
