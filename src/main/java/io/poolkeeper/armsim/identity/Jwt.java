package io.poolkeeper.armsim.identity;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.armsim.protocol.ArmJson;
import java.io.IOException;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;

/**
 * The claims of a token, without a check of its signature.
 *
 * @param expiry empty if the token names none
 */
public record Jwt(Optional<Instant> expiry) {
  /** A bound that fits an {@link Instant}. */
  private static final long MAX_SECONDS = 1L << 40;

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
      return claims.isObject() ? Optional.of(of(claims.path("exp"))) : Optional.empty();
    } catch (IllegalArgumentException | IOException malformed) {
      return Optional.empty();
    }
  }

  private static Jwt of(JsonNode expiry) {
    boolean known = expiry.isNumber() && Math.abs(expiry.doubleValue()) < MAX_SECONDS;
    return new Jwt(
        known ? Optional.of(Instant.ofEpochSecond(expiry.longValue())) : Optional.empty());
  }

  /** Whether it has expired. */
  public boolean expired(Instant now) {
    return expiry.filter(end -> !now.isBefore(end)).isPresent();
  }
}
