package io.poolkeeper.armsim.identity;

import com.fasterxml.jackson.databind.JsonNode;

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
