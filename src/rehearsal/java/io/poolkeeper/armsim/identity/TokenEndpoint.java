package io.poolkeeper.armsim.identity;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.identity.IdentityCall.IdentityAnswer;
import io.poolkeeper.armsim.identity.IdentityRoute.Token;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.armsim.protocol.DerivedGuid;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
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

  private TokenEndpoint() {}

  static IdentityAnswer answer(IdentityCall call, Token route, Instant now) {
    try {
      check(call, now);
      return issue(call, route, audience(call, route.v2()), now);
    } catch (DirectoryError error) {
      return error.answer(call, now);
    }
  }

  private static void check(IdentityCall call, Instant now) {
    if (!call.method().equals("POST")) {
      throw new DirectoryError(
          405, "invalid_request", 900561, "The endpoint only accepts POST requests.");
    }
    String grant = required(call, "grant_type");
    required(call, "client_id");
    switch (grant) {
      case "client_credentials" -> checkProof(call, now);
      case "refresh_token" -> required(call, "refresh_token");
      default ->
          throw new DirectoryError(
              400,
              "unsupported_grant_type",
              70003,
              "The app requested an unsupported grant type '" + grant + "'.");
    }
  }

  private static void checkProof(IdentityCall call, Instant now) {
    Optional<String> secret = call.inForm("client_secret");
    if (secret.isPresent()) {
      if (secret.get().equals(REFUSED_SECRET)) {
        throw new DirectoryError(401, "invalid_client", 7000215, "Invalid client secret provided.");
      }
      return;
    }
    String assertion =
        call.inForm("client_assertion")
            .orElseThrow(
                () ->
                    new DirectoryError(
                        401,
                        "invalid_client",
                        7000216,
                        "'client_assertion', 'client_secret' or 'request' is required for the"
                            + " 'client_credentials' grant type."));
    String type = required(call, "client_assertion_type");
    Jwt token =
        Jwt.parse(assertion)
            .filter(parsed -> type.equals(JWT_BEARER))
            .orElseThrow(
                () ->
                    new DirectoryError(
                        400, "invalid_request", 50027, "JWT token is invalid or malformed."));
    if (token.expired(now)) {
      throw new DirectoryError(
          401, "invalid_client", 700024, "Client assertion is not within its valid time range.");
    }
  }

  private static String required(IdentityCall call, String parameter) {
    return call.inForm(parameter).orElseThrow(() -> DirectoryError.missing(parameter));
  }

  private static String audience(IdentityCall call, boolean v2) {
    if (!v2) {
      return required(call, "resource");
    }
    String scope = required(call, "scope");
    return Arrays.stream(scope.split(" ", -1))
        .filter(part -> !part.isBlank() && !OF_OPENID.contains(part))
        .findFirst()
        .filter(part -> part.endsWith(DEFAULT) && part.length() > DEFAULT.length())
        .map(part -> part.substring(0, part.length() - DEFAULT.length()))
        .orElseThrow(
            () ->
                new DirectoryError(
                    400,
                    "invalid_scope",
                    1002012,
                    ("The provided value for scope %s is not valid. Client credential flows must"
                            + " have a scope value with /.default suffixed to the resource"
                            + " identifier (application ID URI).")
                        .formatted(scope)));
  }

  private static IdentityAnswer issue(
      IdentityCall call, Token route, String audience, Instant now) {
    String client = call.inForm("client_id").orElse("");
    AccessToken token =
        new AccessToken(call.origin(), route.tenant(), audience, client, route.v2(), now, LIFETIME);
    ObjectNode node = ArmJson.MAPPER.createObjectNode().put("token_type", "Bearer");
    if (route.v2()) {
      node.put("expires_in", LIFETIME.toSeconds()).put("ext_expires_in", LIFETIME.toSeconds());
    } else {
      token.putLifetime(node);
    }
    call.inForm("refresh_token").ifPresent(same -> node.put("refresh_token", same));
    return IdentityAnswer.ok(node.put("access_token", token.text()));
  }

  /** A refusal of the directory (RFC 6749, section 5.2, with Azure's additions). */
  private static final class DirectoryError extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final DateTimeFormatter TIME =
        DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss'Z'").withZone(ZoneOffset.UTC);

    private final int status;
    private final String error;
    private final int number;

    /** With the number of Azure's error, without the prefix AADSTS. */
    DirectoryError(int status, String error, int number, String message) {
      super(message, null, false, false);
      this.status = status;
      this.error = error;
      this.number = number;
    }

    static DirectoryError missing(String parameter) {
      return new DirectoryError(
          400,
          "invalid_request",
          900144,
          "The request body must contain the following parameter: '" + parameter + "'.");
    }

    IdentityAnswer answer(IdentityCall call, Instant now) {
      String correlation =
          call.header("client-request-id")
              .orElseGet(() -> DerivedGuid.of(call + " " + now).toString());
      String trace = DerivedGuid.of(correlation + " " + now).toString();
      String time = TIME.format(now);
      ObjectNode node = ArmJson.MAPPER.createObjectNode();
      node.put("error", error);
      node.put(
          "error_description",
          "AADSTS%d: %s Trace ID: %s Correlation ID: %s Timestamp: %s"
              .formatted(number, getMessage(), trace, correlation, time));
      node.putArray("error_codes").add(number);
      node.put("timestamp", time).put("trace_id", trace).put("correlation_id", correlation);
      node.put("error_uri", call.origin() + "/error?code=" + number);
      return new IdentityAnswer(status, node);
    }
  }
}
