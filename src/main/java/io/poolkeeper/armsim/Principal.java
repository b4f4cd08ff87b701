package io.poolkeeper.armsim;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;

/**
 * Identifies a caller by a hash of its {@code Authorization} header, as a guid. A renewed token is
 * another caller.
 */
final class Principal {
  /** A caller without the header. */
  static final String ANONYMOUS = new UUID(0, 0).toString();

  private Principal() {}

  static String of(String authorization) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest(authorization.getBytes(StandardCharsets.UTF_8));
      ByteBuffer bits = ByteBuffer.wrap(hash);
      return new UUID(bits.getLong(), bits.getLong()).toString();
    } catch (NoSuchAlgorithmException everyJavaHasIt) {
      throw new IllegalStateException(everyJavaHasIt);
    }
  }
}
