package io.poolkeeper.armsim.identity;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * One request outside Resource Manager. Its form may hold a secret: it is never printed.
 *
 * @param origin scheme, host and port under which the caller reached the simulator
 * @param query the decoded query parameters
 * @param headers by their names in lower case
 * @param form the decoded body; empty if it is not a form
 */
public record IdentityCall(
    String method,
    IdentityRoute route,
    String origin,
    Map<String, String> query,
    Map<String, String> headers,
    Map<String, String> form) {

  /** Answers a call to any of the routes. */
  public IdentityAnswer answer(Instant now) {
    return switch (route) {
      case IdentityRoute.Endpoints endpoints -> Discovery.clouds(this);
      case IdentityRoute.OpenIdConfiguration of -> Discovery.configuration(origin, of);
      case IdentityRoute.InstanceDiscovery discovery -> Discovery.instances(this);
      case IdentityRoute.Keys keys -> Discovery.keys();
      case IdentityRoute.Token token -> TokenEndpoint.answer(this, token, now);
      case IdentityRoute.ManagedIdentity identity -> MachineIdentity.answer(this, now);
    };
  }

  /** A parameter of the query that is not blank. */
  Optional<String> inQuery(String name) {
    return Optional.ofNullable(query.get(name)).filter(value -> !value.isBlank());
  }

  /** A parameter of the form that is not blank. */
  Optional<String> inForm(String name) {
    return Optional.ofNullable(form.get(name)).filter(value -> !value.isBlank());
  }

  Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name));
  }

  @Override
  public String toString() {
    return method + " " + route;
  }

  /** A status and a JSON document. */
  public record IdentityAnswer(int status, JsonNode body) {
    static IdentityAnswer ok(JsonNode body) {
      return new IdentityAnswer(200, body);
    }

    /** Without the body, which may hold a token. */
    @Override
    public String toString() {
      return Integer.toString(status);
    }
  }
}
