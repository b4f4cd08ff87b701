package io.poolkeeper.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.poolkeeper.model.PoolId;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What the checker saw of one attempt at a pool on the wire: a GET, and what followed it. */
final class Attempt {
  final PoolId pool;

  /** When its first GET was sent; a GET repeated inside the call belongs to the same attempt. */
  final Instant from;

  /** When its last GET was sent. */
  final Instant readAt;

  /** What its GET has shown: addresses, each with its admin state. */
  final Map<String, String> read = new TreeMap<>();

  /** The same, whole. */
  JsonNode shown = MissingNode.getInstance();

  final Set<String> rules = new TreeSet<>();
  String etag = "";
  boolean updating;

  /** Of its accepted write. */
  String operation = "";

  /** The actor that made it has failed. */
  boolean abandoned;

  /** The last one; a PUT may be repeated as it was. */
  @Nullable Exchange last;

  Attempt(PoolId pool, Instant from, Instant readAt) {
    this.pool = pool;
    this.from = from;
    this.readAt = readAt;
  }

  /** The answer to its GET arrives. */
  void saw(JsonNode pool) {
    etag = pool.path("etag").asText();
    shown = pool;
    read.clear();
    read.putAll(states(pool));
    rules.clear();
    for (JsonNode rule : pool.at("/properties/loadBalancingRules")) {
      String id = rule.path("id").asText();
      rules.add(id.substring(id.lastIndexOf('/') + 1));
    }
    updating = updating(pool);
  }

  static boolean updating(JsonNode pool) {
    return pool.at("/properties/provisioningState").asText().equals("Updating");
  }

  /** The addresses in the JSON of a pool, each with its admin state. */
  static Map<String, String> states(JsonNode pool) {
    Map<String, String> found = new TreeMap<>();
    for (JsonNode entry : pool.at("/properties/loadBalancerBackendAddresses")) {
      found.put(
          entry.at("/properties/ipAddress").asText(),
          entry.at("/properties/adminState").asText("None"));
    }
    return found;
  }

  /** Whether a call of it is under way that somebody still waits for. */
  boolean outstanding() {
    return !abandoned && last != null && !last.answered() && last.awaited();
  }
}
