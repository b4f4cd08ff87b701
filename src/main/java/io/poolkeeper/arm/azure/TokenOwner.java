package io.poolkeeper.arm.azure;

import com.azure.core.http.HttpHeaders;
import com.azure.core.util.BinaryData;
import java.util.Base64;
import java.util.Optional;

/**
 * The owner of a token, without a check of its signature. Empty if the token is no JWT.
 *
 * @param client the application's id
 * @param object the principal's id
 */
record TokenOwner(Optional<String> client, Optional<String> object) {
  private static final TokenOwner NONE = new TokenOwner(Optional.empty(), Optional.empty());

  static TokenOwner of(String token) {
    String[] parts = token.split("\\.", -1);
    if (parts.length != 3) {
      return NONE;
    }
    try {
      Json claims =
          Json.of(
              new Answer(
                  200,
                  new HttpHeaders(),
                  BinaryData.fromBytes(Base64.getUrlDecoder().decode(parts[1]))));
      return new TokenOwner(claims.text("appid").or(() -> claims.text("azp")), claims.text("oid"));
    } catch (RuntimeException noClaims) {
      return NONE;
    }
  }
}
