package io.poolkeeper.armsim;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;

/**
 * Stands for whoever sends an {@code Authorization} header: a guid that follows from it and from
 * which it does not follow. A renewed token is somebody else.
 */
final class Principal {
  /** Who sends none. */
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
