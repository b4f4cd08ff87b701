package io.poolkeeper.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.poolkeeper.model.PoolId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
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

  /** What ARM held in the pool at any time since then. */
  final List<Set<String>> contents = new ArrayList<>();

  /** What its GET has shown: addresses, each with its admin state. */
  final Map<String, String> read = new TreeMap<>();

  /** The same, whole. */
  JsonNode shown = MissingNode.getInstance();

  final Set<String> rules = new TreeSet<>();
  String etag = "";
  boolean hasRead;
  boolean updating;

  /** Of its accepted write. */
  String operation = "";

  /** ARM said that a write was made, and it was not. */
  boolean lied;

  /** The actor that made it has failed. */
  boolean abandoned;

  /** The last call; a PUT may be repeated as it was. */
  @Nullable Exchange last;

  Attempt(PoolId pool, Instant from, Instant readAt) {
    this.pool = pool;
    this.from = from;
    this.readAt = readAt;
  }

  /** The answer to its GET arrives. */
  void saw(JsonNode pool) {
    hasRead = true;
    etag = pool.path("etag").asText();
    shown = pool;
    read.clear();
    read.putAll(Exchange.states(pool));
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

  boolean olderThan(Duration age, Instant now) {
    return !now.isBefore(from.plus(age));
  }

  /** Whether a call of it is under way that somebody still waits for. */
  boolean outstanding() {
    return !abandoned && last != null && !last.ended() && last.awaited();
  }
}
