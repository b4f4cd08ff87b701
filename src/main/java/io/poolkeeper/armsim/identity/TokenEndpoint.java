package io.poolkeeper.armsim.identity;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.identity.IdentityRoute.Token;
import io.poolkeeper.armsim.protocol.ArmJson;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/**
 * Issues tokens to applications (RFC 6749, 4.4 and 6; RFC 7523): by secret, by an assertion as
 * workload identity sends it, or by a refresh token. Every application is known; the secret {@value
 * #REFUSED_SECRET} is refused, to test clients that cannot sign in.
 */
final class TokenEndpoint {
  static final String REFUSED_SECRET = "invalid";
  private static final Duration LIFETIME = Duration.ofHours(1);
  private static final String JWT_BEARER = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
  private static final String DEFAULT = "/.default";
  private static final Set<String> OF_OPENID =
      Set.of("openid", "profile", "offline_access", "email");

  private final InstantSource clock;

  TokenEndpoint(InstantSource clock) {
    this.clock = clock;
  }

  /** The requested audience, or the refusal. */
  private sealed interface Audience {
    record Resource(String audience) implements Audience {}

    record Refused(DirectoryError error) implements Audience {}
  }

  IdentityAnswer answer(IdentityCall call, Token route) {
    Instant now = clock.instant();
    return refusal(call, now)
        .map(error -> error.answer(call, now))
        .orElseGet(
            () ->
                switch (audience(call, route.v2())) {
                  case Audience.Refused refused -> refused.error().answer(call, now);
                  case Audience.Resource resource -> issue(call, route, resource.audience(), now);
                });
  }

  private static Optional<DirectoryError> refusal(IdentityCall call, Instant now) {
    if (!call.method().equals("POST")) {
      return Optional.of(
          new DirectoryError(
              405, "invalid_request", 900561, "The endpoint only accepts POST requests."));
    }
    Optional<String> grant = call.inForm("grant_type");
    if (grant.isEmpty()) {
      return Optional.of(DirectoryError.missing("grant_type"));
    }
    if (call.inForm("client_id").isEmpty()) {
      return Optional.of(DirectoryError.missing("client_id"));
    }
    return switch (grant.get()) {
      case "client_credentials" -> proof(call, now);
      case "refresh_token" ->
          call.inForm("refresh_token").isPresent()
              ? Optional.empty()
              : Optional.of(DirectoryError.missing("refresh_token"));
      default ->
          Optional.of(
              new DirectoryError(
                  400,
                  "unsupported_grant_type",
                  70003,
                  "The app requested an unsupported grant type '" + grant.get() + "'."));
    };
  }

  private static Optional<DirectoryError> proof(IdentityCall call, Instant now) {
    Optional<String> secret = call.inForm("client_secret");
    Optional<String> assertion = call.inForm("client_assertion");
    if (secret.isPresent()) {
      return secret.get().equals(REFUSED_SECRET)
          ? Optional.of(
              new DirectoryError(401, "invalid_client", 7000215, "Invalid client secret provided."))
          : Optional.empty();
    }
    if (assertion.isEmpty()) {
      return Optional.of(
          new DirectoryError(
              401,
              "invalid_client",
              7000216,
              "'client_assertion', 'client_secret' or 'request' is required for the"
                  + " 'client_credentials' grant type."));
    }
    return assertion(call.inForm("client_assertion_type"), assertion.get(), now);
  }

  private static Optional<DirectoryError> assertion(
      Optional<String> type, String assertion, Instant now) {
    if (type.isEmpty()) {
      return Optional.of(DirectoryError.missing("client_assertion_type"));
    }
    Optional<Jwt> token = Jwt.parse(assertion);
    if (!type.get().equals(JWT_BEARER) || token.isEmpty()) {
      return Optional.of(
          new DirectoryError(400, "invalid_request", 50027, "JWT token is invalid or malformed."));
    }
    return token.get().expired(now)
        ? Optional.of(
            new DirectoryError(
                401,
                "invalid_client",
                700024,
                "Client assertion is not within its valid time range."))
        : Optional.empty();
  }

  private static Audience audience(IdentityCall call, boolean v2) {
    if (!v2) {
      return call.inForm("resource")
          .<Audience>map(Audience.Resource::new)
          .orElseGet(() -> new Audience.Refused(DirectoryError.missing("resource")));
    }
    Optional<String> scope = call.inForm("scope");
    if (scope.isEmpty()) {
      return new Audience.Refused(DirectoryError.missing("scope"));
    }
    return Arrays.stream(scope.get().split(" ", -1))
        .filter(part -> !part.isBlank() && !OF_OPENID.contains(part))
        .findFirst()
        .filter(part -> part.endsWith(DEFAULT) && part.length() > DEFAULT.length())
        .<Audience>map(
            part -> new Audience.Resource(part.substring(0, part.length() - DEFAULT.length())))
        .orElseGet(() -> new Audience.Refused(scopeRefused(scope.get())));
  }

  private static DirectoryError scopeRefused(String scope) {
    return new DirectoryError(
        400,
        "invalid_scope",
        1002012,
        ("The provided value for scope %s is not valid. Client credential flows must have a scope"
                + " value with /.default suffixed to the resource identifier (application ID URI).")
            .formatted(scope));
  }

  private static IdentityAnswer issue(
      IdentityCall call, Token route, String audience, Instant now) {
    AccessToken token =
        new AccessToken(
            AccessToken.issuer(call.origin(), route.tenant(), route.v2()),
            route.tenant(),
            audience,
            call.inForm("client_id").orElse(""),
            route.v2(),
            now,
            LIFETIME);
    ObjectNode node = ArmJson.MAPPER.createObjectNode().put("token_type", "Bearer");
    if (route.v2()) {
      node.put("expires_in", LIFETIME.toSeconds()).put("ext_expires_in", LIFETIME.toSeconds());
    } else {
      Lifetimes.put(node, token, audience);
    }
    call.inForm("refresh_token").ifPresent(same -> node.put("refresh_token", same));
    return IdentityAnswer.ok(node.put("access_token", token.text()));
  }
}
