package io.poolkeeper.armsim;

import io.poolkeeper.armsim.identity.Jwt;
import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.protocol.ArmError;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Checks the token of a call to Resource Manager. Any token that has not expired is accepted, from
 * any issuer.
 */
record TokenCheck(InstantSource clock) {
  /** The refusal of a call with this Authorization header; empty if it is accepted. */
  Optional<ArmAnswer> refusal(Optional<String> authorization, String origin) {
    Optional<String> token = authorization.flatMap(Jwt::bearer);
    if (token.isEmpty()) {
      return Optional.of(
          challenged(
              ArmError.NO_TOKEN.answer(),
              origin,
              "The authentication failed because of missing 'Authorization' header."));
    }
    Instant now = clock.instant();
    return Jwt.parse(token.get())
        .filter(parsed -> parsed.expired(now))
        .map(expired -> ArmError.EXPIRED_TOKEN.answer(expired.expiry().orElse(now), now))
        .map(refusal -> challenged(refusal, origin, "The access token has expired."));
  }

  private static ArmAnswer challenged(ArmAnswer refusal, String origin, String why) {
    return refusal.with(
        "WWW-Authenticate",
        "Bearer authorization_uri=\"%s/common\", error=\"invalid_token\", error_description=\"%s\""
            .formatted(origin, why));
  }
}
