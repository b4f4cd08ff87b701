package io.poolkeeper.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.config.Suggestion;
import io.poolkeeper.console.StatusText;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/** The leader's state from {@code /api/v1/events}: sent whole first, then in changes. */
final class LiveState {
  private static final String PATH = "/api/v1/events";

  private final Map<String, JsonNode> pools = new TreeMap<>();
  private ObjectNode status = JsonNodeFactory.instance.objectNode();
  private boolean changed;

  private LiveState() {}

  static LiveState read(Leader leader) {
    LiveState state = new LiveState();
    state.take(leader, read -> false);
    return state;
  }

  /**
   * Follows it as long as somebody wants more.
   *
   * @throws CommandFailure if the stream ends
   */
  static void follow(Leader leader, Predicate<LiveState> more) {
    new LiveState().take(leader, more);
  }

  private void take(Leader leader, Predicate<LiveState> more) {
    Leader.Answer answer = leader.get(PATH);
    try (LimitedStream body = answer.body();
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))) {
      if (answer.status() != 200) {
        throw new CommandFailure(
            "%s: GET %s: HTTP %d".formatted(leader.name(), PATH, answer.status()));
      }
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        take(PrintableText.of(Leader.JSON.readTree(line)));
        if (!more.test(this)) {
          return;
        }
        body.restart();
      }
    } catch (IOException ended) {
      throw new CommandFailure(
          "%s: the stream broke: %s".formatted(leader.name(), ended.getMessage()));
    }
    throw new CommandFailure(
        leader.name() + ": the stream ended: the process stops, or too many read");
  }

  private void take(JsonNode line) {
    changed = !line.path("now").isTextual();
    if (line.path("whole").asBoolean()) {
      pools.clear();
    }
    if (line.path("status").isObject()) {
      status = line.path("status").deepCopy();
    }
    if (line.path("now").isTextual()) {
      status.set("now", line.path("now"));
    }
    line.path("pools").forEach(row -> pools.put(row.path("id").asText(), row));
    line.path("gone").forEach(id -> pools.remove(id.asText()));
  }

  /** Whether the last line brought more than the time. */
  boolean changed() {
    return changed;
  }

  JsonNode status() {
    return status;
  }

  Collection<JsonNode> pools() {
    return pools.values();
  }

  /**
   * The pools that have that name: of the pool, alone or after its load balancer, or after that and
   * its resource group; or of a Service, with or without its namespace.
   */
  List<JsonNode> named(String name) {
    return pools.values().stream().filter(row -> hasName(row, name)).toList();
  }

  /**
   * The nearest name in the same form: of a pool, of a Service, or of these nodes. Else the Service
   * that has the name in another namespace.
   */
  Optional<String> near(String name, Set<String> nodes) {
    Set<String> known = new TreeSet<>(nodes);
    for (JsonNode row : pools.values()) {
      known.add(row.path("id").asText());
      known.add(StatusText.shortName(row));
      known.add(row.path("pool").asText());
      row.path("services").forEach(service -> known.add(service.asText()));
      row.path("services").forEach(service -> known.add(withoutNamespace(service.asText())));
    }
    known.removeIf(other -> slashes(other) != slashes(name));
    return Suggestion.nearest(name, known)
        .or(
            () ->
                known.stream()
                    .filter(other -> withoutNamespace(other).equals(withoutNamespace(name)))
                    .findFirst());
  }

  private static long slashes(String name) {
    return name.chars().filter(letter -> letter == '/').count();
  }

  private static String withoutNamespace(String service) {
    return service.substring(service.indexOf('/') + 1);
  }

  private static boolean hasName(JsonNode row, String name) {
    if (name.equalsIgnoreCase(row.path("id").asText())
        || name.equalsIgnoreCase(StatusText.shortName(row))
        || name.equalsIgnoreCase(row.path("pool").asText())) {
      return true;
    }
    for (JsonNode service : row.path("services")) {
      String full = service.asText();
      if (full.equals(name) || withoutNamespace(full).equals(name)) {
        return true;
      }
    }
    return false;
  }

  /** The path of the API for one pool. */
  static String path(JsonNode row) {
    return "/api/v1/pools/%s/%s?resourceGroup=%s"
        .formatted(
            encoded(row.path("loadBalancer").asText()),
            encoded(row.path("pool").asText()),
            encoded(row.path("resourceGroup").asText()));
  }

  static String encoded(String segment) {
    return URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20");
  }

  JsonNode json() {
    ObjectNode json = Leader.JSON.createObjectNode();
    json.set("status", status);
    return json.set("pools", Leader.JSON.createArrayNode().addAll(pools.values()));
  }
}
