package io.poolkeeper.armsim;

import io.poolkeeper.armsim.identity.Jwt;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import java.util.UUID;

/**
 * Who calls.
 *
 * @param principal a hash of the {@code Authorization} header, as a guid: a renewed token is
 *     another principal
 * @param client the application in the token; without one the object
 * @param object the object in the token; without one the client, without both the principal
 */
public record Caller(String principal, String client, String object) {
  private static final String NOBODY = new UUID(0, 0).toString();
  public static final Caller ANONYMOUS = new Caller(NOBODY, NOBODY, NOBODY);

  public static Caller of(String authorization) {
    String principal = hash(authorization);
    Optional<Jwt> token = Jwt.bearer(authorization).flatMap(Jwt::parse);
    Optional<String> client = token.flatMap(Jwt::client);
    Optional<String> object = token.flatMap(Jwt::object);
    return new Caller(
        principal,
        client.or(() -> object).orElse(principal),
        object.or(() -> client).orElse(principal));
  }

  boolean is(String identity) {
    return identity.equalsIgnoreCase(client) || identity.equalsIgnoreCase(object);
  }

  private static String hash(String authorization) {
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
