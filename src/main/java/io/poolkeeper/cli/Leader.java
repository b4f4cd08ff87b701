package io.poolkeeper.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.poolkeeper.model.Truncated;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The API of the replica that leads, read-only. */
interface Leader extends AutoCloseable {
  ObjectMapper JSON = new ObjectMapper();

  /**
   * An answer.
   *
   * @param status of HTTP
   * @param body closed by who reads it; it ends the exchange
   */
  record Answer(int status, LimitedStream body) {}

  /**
   * Asks for a path of the API.
   *
   * @throws CommandFailure if there is no answer; the message names who was asked
   */
  Answer get(String path);

  /** Who answers, for messages. */
  String name();

  /**
   * Asks whether it is there.
   *
   * @throws CommandFailure if there is no answer
   */
  default void answers() {
    try {
      get("/healthz").body().close(); // whatever it says: it may want a token for more
    } catch (IOException closing) {
      // It has answered.
    }
  }

  /** The answer as JSON; empty if there is no such thing (404). */
  default Optional<JsonNode> find(String path) {
    Answer answer = get(path);
    try (InputStream body = answer.body()) {
      byte[] bytes = body.readAllBytes();
      if (answer.status() == 404) {
        return Optional.empty();
      }
      if (answer.status() != 200) {
        throw new CommandFailure(
            "%s: GET %s: HTTP %d: %s"
                .formatted(
                    name(),
                    path,
                    answer.status(),
                    Truncated.to(500, new String(bytes, StandardCharsets.UTF_8))));
      }
      return Optional.of(PrintableText.of(JSON.readTree(bytes)));
    } catch (JsonProcessingException noJson) {
      throw new CommandFailure(
          "%s: GET %s: the answer is no JSON: is this Poolkeeper?".formatted(name(), path));
    } catch (IOException ended) {
      throw new CommandFailure(
          "%s: GET %s: the answer ended early: %s".formatted(name(), path, ended.getMessage()));
    }
  }

  /** The answer, which must exist. */
  default JsonNode json(String path) {
    return find(path)
        .orElseThrow(
            () ->
                new CommandFailure(
                    "%s: GET %s: not found: is its version as new as this one's?"
                        .formatted(name(), path)));
  }

  @Override
  void close();
}
