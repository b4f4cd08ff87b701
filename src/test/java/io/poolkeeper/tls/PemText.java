package io.poolkeeper.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Base64;

/** Writes identities as PEM files. */
public final class PemText {
  private PemText() {}

  /** Files {@code tls.crt} and {@code tls.key} of a directory, as Kubernetes mounts a Secret. */
  public static void write(TlsIdentity identity, Path directory)
      throws IOException, GeneralSecurityException {
    Files.writeString(
        directory.resolve("tls.crt"),
        block("CERTIFICATE", identity.chain().getFirst().getEncoded()));
    Files.writeString(
        directory.resolve("tls.key"), block("PRIVATE KEY", identity.key().getEncoded()));
  }

  private static String block(String kind, byte[] content) {
    return "-----BEGIN %s-----\n%s\n-----END %1$s-----\n"
        .formatted(kind, Base64.getMimeEncoder().encodeToString(content));
  }
}
