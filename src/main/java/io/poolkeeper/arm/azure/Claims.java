package io.poolkeeper.arm.azure;

import com.azure.core.http.HttpHeaders;
import com.azure.core.util.BinaryData;
import java.util.Base64;
import java.util.Optional;

/**
 * Whose a token is, without a check of its signature. Empty if it is no JWT.
 *
 * @param client the application's id
 * @param object the principal's id
 */
record Claims(Optional<String> client, Optional<String> object) {
  private static final Claims NONE = new Claims(Optional.empty(), Optional.empty());

  static Claims of(String token) {
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
      return new Claims(claims.text("appid").or(() -> claims.text("azp")), claims.text("oid"));
    } catch (RuntimeException noClaims) {
      return NONE;
    }
  }
}
