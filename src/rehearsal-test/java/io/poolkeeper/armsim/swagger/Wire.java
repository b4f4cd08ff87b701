package io.poolkeeper.armsim.swagger;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.armsim.protocol.ArmJson;
import java.util.Map;
import java.util.Optional;

/** A way to a simulator with pages of two items. */
interface Wire {
  String API = "?api-version=2025-05-01";
  int PAGE_SIZE = 2;

  /**
   * Sends a request.
   *
   * @param target a path with its query, or a link from an earlier answer
   * @param body empty for none
   */
  Answer send(String method, String target, String body, String... headers) throws Exception;

  /** The answer; header names are in lower case. */
  record Answer(int status, Map<String, String> headers, String body) {
    Optional<JsonNode> json() {
      try {
        return body.isEmpty() ? Optional.empty() : Optional.of(ArmJson.MAPPER.readTree(body));
      } catch (JsonProcessingException wrong) {
        throw new AssertionError(body, wrong);
      }
    }

    String header(String name) {
      return Optional.ofNullable(headers.get(name)).orElseThrow(() -> new AssertionError(headers));
    }
  }

  /** The operation of the next PUT runs for longer than the test; where time is none, it does. */
  default void slowNext() throws Exception {}
}
