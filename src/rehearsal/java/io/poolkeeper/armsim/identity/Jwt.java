package io.poolkeeper.armsim.identity;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.armsim.protocol.ArmJson;
import java.io.IOException;
import java.time.Instant;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;

/**
 * The claims of a token, without a check of its signature.
 *
 * @param expiry empty if the token names none
 * @param client the application's id; empty if the token names none
 * @param object the id of its service principal, or the user's; empty if the token names none
 */
public record Jwt(Optional<Instant> expiry, Optional<String> client, Optional<String> object) {
  private static final String BEARER = "bearer ";

  /** The longest id; Azure's are guids. */
  private static final int MAX_ID = 100;

  /** A bound that fits an {@link Instant}. */
  private static final long MAX_SECONDS = 1L << 40;

  public static Optional<String> bearer(String authorization) {
    return Optional.of(authorization)
        .filter(value -> value.toLowerCase(Locale.ROOT).startsWith(BEARER))
        .map(value -> value.substring(BEARER.length()).strip())
        .filter(value -> !value.isEmpty());
  }

  /**
   * Reads three parts in base64 with a JSON object in the middle; empty if it is something else.
   */
  public static Optional<Jwt> parse(String text) {
    String[] parts = text.split("\\.", -1);
    if (parts.length != 3) {
      return Optional.empty();
    }
    try {
      JsonNode claims = ArmJson.MAPPER.readTree(Base64.getUrlDecoder().decode(parts[1]));
      return claims.isObject() ? Optional.of(of(claims)) : Optional.empty();
    } catch (IllegalArgumentException | IOException malformed) {
      return Optional.empty();
    }
  }

  private static Jwt of(JsonNode claims) {
    JsonNode expiry = claims.path("exp");
    boolean known = expiry.isNumber() && Math.abs(expiry.doubleValue()) < MAX_SECONDS;
    return new Jwt(
        known ? Optional.of(Instant.ofEpochSecond(expiry.longValue())) : Optional.empty(),
        id(claims, "appid").or(() -> id(claims, "azp")),
        id(claims, "oid"));
  }

  private static Optional<String> id(JsonNode claims, String claim) {
    return Optional.of(claims.path(claim).asText(""))
        .filter(id -> !id.isBlank() && id.length() <= MAX_ID);
  }

  public boolean expired(Instant now) {
    return expiry.filter(end -> !now.isBefore(end)).isPresent();
  }
}
