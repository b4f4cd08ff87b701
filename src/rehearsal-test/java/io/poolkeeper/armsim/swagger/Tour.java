package io.poolkeeper.armsim.swagger;

import static io.poolkeeper.armsim.swagger.Wire.API;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.armsim.swagger.Wire.Answer;
import java.util.Set;
import java.util.TreeSet;

/**
 * A sequence of requests. Each answer is checked against the swagger, and so is each successful
 * request.
 */
final class Tour {
  private static final ArmSchema SCHEMA = new ArmSchema();

  private static final int MAX_PAGES = 20;

  private final Wire wire;
  private final Set<String> visited = new TreeSet<>();
  private int answers;

  Tour(Wire wire) {
    this.wire = wire;
  }

  /** The routes used so far. */
  Set<String> visited() {
    return visited;
  }

  /** The number of checked answers. */
  int answers() {
    return answers;
  }

  Answer get(String path, int status) throws Exception {
    return call(status, "GET", path + API, "");
  }

  /** Writes, and polls until the operation has ended. */
  Answer put(String path, int status, String body) throws Exception {
    return followed(call(status, "PUT", path + API, body));
  }

  Answer delete(String path, int status) throws Exception {
    Answer answer = call(status, "DELETE", path + API, "");
    if (status == 202) {
      followed(answer);
      call(204, "GET", answer.header("Location"), "");
    }
    return answer;
  }

  /** Writes a resource with another swagger. */
  void elsewhere(String path, String body) throws Exception {
    Answer answer = wire.send("PUT", path + API, body);
    assertThat(answer.status()).as(answer.body()).isBetween(200, 201);
    if (answer.headers().containsKey("Azure-AsyncOperation")) {
      followed(answer);
    }
  }

  private Answer followed(Answer accepted) throws Exception {
    // A creation also has a link, but no running operation.
    String link = accepted.header("Azure-AsyncOperation");
    for (int polls = 0; polls < 3; polls++) {
      String status = poll(link).path("status").asText();
      if (!status.equals("InProgress")) {
        assertThat(status).isEqualTo("Succeeded");
        return accepted;
      }
    }
    throw new AssertionError("still in progress: " + link);
  }

  JsonNode poll(String link) throws Exception {
    return call(200, "GET", link, "").json().orElseThrow();
  }

  /** Reads a list to its end through its links; how many items it has. */
  int list(String path) throws Exception {
    int items = 0;
    int pages = 0;
    for (String next = path + API; !next.isEmpty(); ) {
      assertThat(++pages).as("pages of " + path).isLessThan(MAX_PAGES);
      JsonNode page = call(200, "GET", next, "").json().orElseThrow();
      items += page.path("value").size();
      next = page.path("nextLink").asText("");
    }
    return items;
  }

  /** Any call. */
  void slowNext() throws Exception {
    wire.slowNext();
  }

  Answer call(int status, String method, String target, String body, String... headers)
      throws Exception {
    Answer answer = wire.send(method, target, body, headers);
    String what =
        "%s %.150s\n%s\n%d %s".formatted(method, target, body, answer.status(), answer.body());
    assertThat(answer.status()).as(what).isEqualTo(status);
    String uri = target.replaceFirst("^https?://[^/]+", "");
    String path = uri.replaceFirst("\\?.*", "");
    SCHEMA.route(method, path).ifPresent(visited::add);
    assertThat(SCHEMA.response(method, path, status, answer.json())).as(what).isEmpty();
    answers++;
    if (status < 400 && SCHEMA.route(method, path).isPresent()) {
      String query = uri.substring(uri.indexOf('?') + 1);
      Answer sent = new Answer(0, answer.headers(), body);
      assertThat(SCHEMA.request(method, path, query, sent.json())).as(what).isEmpty();
    }
    return answer;
  }
}
