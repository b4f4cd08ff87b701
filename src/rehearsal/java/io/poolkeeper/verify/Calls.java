package io.poolkeeper.verify;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Optional;

/** A port: calls to Resource Manager, each sent once. Each is seen by the {@link Recorder}. */
public interface Calls {
  /**
   * Sends a call and waits for its answer.
   *
   * @param url a path without query, to which the API version is added; or a whole URL of an answer
   * @param version of the API; empty = the configured one
   * @return with status 0 if none came
   */
  ArmExchange send(
      String method,
      String url,
      Optional<String> version,
      Map<String, String> headers,
      Optional<JsonNode> body)
      throws InterruptedException;
}
