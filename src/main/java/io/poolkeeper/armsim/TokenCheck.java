package io.poolkeeper.armsim;

import io.poolkeeper.armsim.identity.Jwt;
import io.poolkeeper.armsim.protocol.ArmAnswer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Optional;

/**
 * Checks the token of a call to Resource Manager. Any token that has not expired is accepted, from
 * any issuer.
 */
record TokenCheck(InstantSource clock) {
  private static final String BEARER = "bearer ";

  /** The refusal of a call with this Authorization header; empty if it is accepted. */
  Optional<ArmAnswer> refusal(Optional<String> authorization, String origin) {
    Optional<String> token =
        authorization
            .filter(value -> value.toLowerCase(Locale.ROOT).startsWith(BEARER))
            .map(value -> value.substring(BEARER.length()).strip())
            .filter(value -> !value.isEmpty());
    if (token.isEmpty()) {
      return Optional.of(
          refused(
              origin,
              "AuthenticationFailed",
              "Authentication failed. The 'Authorization' header is missing.",
              "The authentication failed because of missing 'Authorization' header."));
    }
    Instant now = clock.instant();
    return Jwt.parse(token.get())
        .filter(parsed -> parsed.expired(now))
        .map(
            expired ->
                refused(
                    origin,
                    "ExpiredAuthenticationToken",
                    "The access token expiry UTC time '%s' is earlier than current UTC time '%s'."
                        .formatted(expired.expiry().orElse(now), now),
                    "The access token has expired."));
  }

  private static ArmAnswer refused(String origin, String code, String message, String challenge) {
    return ArmAnswer.gateway(401, code, message)
        .with(
            "WWW-Authenticate",
            "Bearer authorization_uri=\"%s/common\", error=\"invalid_token\",".formatted(origin)
                + " error_description=\""
                + challenge
                + "\"");
  }
}
