package io.poolkeeper.verify;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.arm.BackendPools;
import io.poolkeeper.verify.Assumption.Unseen;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * What checks work with: the scratch load balancer, and three clients of it.
 *
 * @param calls raw
 * @param adapter the controller's own
 * @param witness another client's
 * @param clock monotonic
 * @param samples how often times are measured
 * @param permitDeadline how long the controller gives a write, its operation included
 */
record Bench(
    Place place,
    Calls calls,
    BackendPools adapter,
    Witness witness,
    InstantSource clock,
    int samples,
    Duration permitDeadline) {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final Set<String> ENDS = Set.of("succeeded", "failed", "canceled");

  /** Without a wait asked for; the simulator asks for none. */
  private static final Duration POLL = Duration.ofSeconds(1);

  private static final Duration SHORTEST = Duration.ofMillis(10);
  private static final Duration LONGEST = Duration.ofSeconds(10);

  /**
   * How an operation has ended.
   *
   * @param status {@code Succeeded}, {@code Failed} or {@code Canceled}
   * @param last the poll that said so
   */
  record Ended(String status, ArmExchange last, int polls) {
    boolean succeeded() {
      return status.equalsIgnoreCase("Succeeded");
    }

    /** Status and codes, for people. */
    String outcome() {
      return (status + " " + last.codes().replaceFirst("^" + status + " ?", "")).strip();
    }
  }

  ArmExchange get(String path) throws InterruptedException {
    return calls.send("GET", path, Optional.empty(), Map.of(), Optional.empty());
  }

  ArmExchange getPool(String pool) throws InterruptedException {
    return get(place.pool(pool).path());
  }

  ArmExchange put(String pool, JsonNode body) throws InterruptedException {
    return send("PUT", pool, Map.of(), Optional.of(body));
  }

  ArmExchange put(String pool, JsonNode body, String etag) throws InterruptedException {
    return send("PUT", pool, Map.of("If-Match", etag), Optional.of(body));
  }

  ArmExchange delete(String pool) throws InterruptedException {
    return send("DELETE", pool, Map.of(), Optional.empty());
  }

  private ArmExchange send(
      String method, String pool, Map<String, String> headers, Optional<JsonNode> body)
      throws InterruptedException {
    return calls.send(method, place.pool(pool).path(), Optional.empty(), headers, body);
  }

  /** Writes a pool, follows the operation, and reads the pool. */
  ArmExchange written(String pool, JsonNode body) throws InterruptedException {
    ArmExchange accepted = needed(put(pool, body));
    Ended ended = follow(accepted);
    if (!ended.succeeded()) {
      throw new Unseen("the write of pool %s: %s".formatted(pool, ended.outcome()));
    }
    return needed(getPool(pool));
  }

  /** The exchange itself, if it was answered as asked. */
  ArmExchange needed(ArmExchange exchange) {
    if (!exchange.accepted()) {
      throw new Unseen(
          "%s %s: %s"
              .formatted(
                  exchange.method(),
                  exchange.url().replaceFirst("\\?.*", "").replaceFirst(".*/", ".../"),
                  exchange.outcome()));
    }
    return exchange;
  }

  /** Follows the operation of a write that was accepted to its end. */
  Ended follow(ArmExchange accepted) throws InterruptedException {
    Optional<String> url = accepted.header("Azure-AsyncOperation");
    if (url.isEmpty()) {
      return followed(accepted);
    }
    ArmExchange last = accepted;
    for (int polls = 1; ; polls++) {
      pause(last);
      last = calls.send("GET", url.get(), Optional.empty(), Map.of(), Optional.empty());
      String status = last.answer().path("status").asText();
      if (ENDS.contains(status.toLowerCase(Locale.ROOT))) {
        return new Ended(status, last, polls);
      }
    }
  }

  /** Whether a write that was accepted is still under way. */
  boolean runs(ArmExchange accepted) throws InterruptedException {
    Optional<String> url = accepted.header("Azure-AsyncOperation");
    if (url.isEmpty()) {
      return false;
    }
    ArmExchange poll = calls.send("GET", url.get(), Optional.empty(), Map.of(), Optional.empty());
    return poll.answer().path("status").asText().equals("InProgress");
  }

  /** The end of a write that names no operation: what the resource shows. */
  private Ended followed(ArmExchange accepted) throws InterruptedException {
    String path = accepted.url().replaceFirst("\\?.*", "");
    while (true) {
      ArmExchange look = get(path);
      boolean gone = look.status() == 404 && accepted.method().equals("DELETE");
      if (gone || ENDS.contains(look.state().toLowerCase(Locale.ROOT))) {
        return new Ended(gone ? "Succeeded" : look.state(), look, 0);
      }
      pause(accepted);
    }
  }

  /** Waits until no operation of an earlier check runs any more. */
  void settle() throws InterruptedException {
    ArmExchange look = get(place.balancer().path());
    while (look.accepted() && look.state().equals("Updating")) {
      pause(look);
      look = get(place.balancer().path());
    }
    needed(look);
  }

  private static void pause(ArmExchange before) throws InterruptedException {
    Duration asked =
        before
            .header("Retry-After")
            .filter(text -> text.matches("\\d{1,5}"))
            .map(text -> Duration.ofSeconds(Long.parseLong(text)))
            .orElse(POLL);
    Duration wait =
        asked.compareTo(LONGEST) > 0 ? LONGEST : asked.compareTo(SHORTEST) < 0 ? SHORTEST : asked;
    try {
      new CompletableFuture<Boolean>().completeOnTimeout(true, wait.toNanos(), NANOSECONDS).get();
    } catch (ExecutionException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  Instant now() {
    return clock.instant();
  }

  /** A pool with so many entries. */
  ObjectNode pool(int entries) {
    ObjectNode pool = pool();
    for (int i = 0; i < entries; i++) {
      entries(pool).add(entry("n" + i, Place.address(i)));
    }
    return pool;
  }

  /** A pool without entries. */
  static ObjectNode pool() {
    ObjectNode pool = JSON.objectNode();
    pool.putObject("properties").putArray("loadBalancerBackendAddresses");
    return pool;
  }

  static ArrayNode entries(ObjectNode pool) {
    return (ArrayNode) pool.at("/properties/loadBalancerBackendAddresses");
  }

  ObjectNode entry(String name, String address) {
    ObjectNode entry = JSON.objectNode().put("name", name);
    ObjectNode properties = entry.putObject("properties").put("ipAddress", address);
    properties.putObject("virtualNetwork").put("id", place.network());
    return entry;
  }

  ObjectNode entry(String name, String address, String adminState) {
    ObjectNode entry = entry(name, address);
    ((ObjectNode) entry.path("properties")).put("adminState", adminState);
    return entry;
  }
}
