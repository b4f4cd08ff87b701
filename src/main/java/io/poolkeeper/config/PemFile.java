package io.poolkeeper.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Optional;

/** Checks that a file has PEM certificates, so that errors show before a TLS handshake. */
final class PemFile {
  private PemFile() {}

  /** Why the file cannot be used; empty if it can. */
  static Optional<String> objection(Path file) {
    var objection = InputFile.objection(file);
    if (objection.isPresent()) {
      return objection;
    }
    try (var in = Files.newInputStream(file)) {
      var certificates = CertificateFactory.getInstance("X.509").generateCertificates(in);
      return certificates.isEmpty() ? Optional.of("a file without certificate") : Optional.empty();
    } catch (CertificateException e) {
      return Optional.of("a file that holds no valid certificate");
    } catch (IOException e) {
      return Optional.of("a file that cannot be read (" + e.getMessage() + ")");
    }
  }
}
