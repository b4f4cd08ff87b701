package io.poolkeeper.simulation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.arm.azure.Wire;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.pool.PoolCore;
import io.poolkeeper.pool.PoolEffect;
import io.poolkeeper.pool.PoolEvent;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Faults of the calls to ARM, and of what is made of their answers. */
final class FaultsOfWrites {
  static final List<SeededFault> ALL =
      List.of(
          new SeededFault(
              "drop If-Match", Around.wire(own -> new Changed(own, FaultsOfWrites::unconditional))),
          new SeededFault(
              "forget the admin states of what a drain leaves alone", Around.wire(Forgetful::new)),
          new SeededFault(
              "take a 412 for good",
              Around.event(
                  PoolCore.class,
                  PoolEvent.AttemptFailed.class,
                  failed -> new PoolEvent.AttemptFailed(forGood(failed.failure())))),
          new SeededFault(
              "let the last try of a write say all",
              Around.event(
                  PoolCore.class,
                  PoolEvent.AttemptFailed.class,
                  failed -> new PoolEvent.AttemptFailed(withoutDoubt(failed.failure())))),
          new SeededFault(
              "let a write last for a whole permit after a slow read",
              Around.effect(
                  PoolCore.class,
                  PoolEffect.Write.class,
                  write -> new PoolEffect.Write(write.read(), write.edit(), Instant.MAX))),
          new SeededFault(
              "follow a write beyond its permit",
              new Mutation("arm.azure.TokenWait", "within", "EXPERIMENTAL_NAKED_RECEIVER")
                  .on("Mono::timeout")));

  private FaultsOfWrites() {}

  private static Wire.Request unconditional(Wire.Request request) {
    Map<String, String> headers = new HashMap<>(request.headers());
    headers.remove("if-match");
    return new Wire.Request(
        request.method(), request.url(), headers, request.body(), request.call());
  }

  private static ArmFailure forGood(ArmFailure failure) {
    return failure.status() == 412
        ? new ArmFailure(ArmFailure.Kind.UNTRUSTED, 412, failure.code(), failure.message())
        : failure;
  }

  private static ArmFailure withoutDoubt(ArmFailure failure) {
    return new ArmFailure(
        failure.kind(), failure.status(), failure.code(), failure.message(), failure.retryAfter());
  }

  /** Sends other requests. */
  private static class Changed implements Wire {
    private final Wire own;
    private final UnaryOperator<Request> change;

    Changed(Wire own, UnaryOperator<Request> change) {
      this.own = own;
      this.change = change;
    }

    @Override
    public void send(Request request, Reply reply) {
      own.send(change.apply(request), reply);
    }

    @Override
    public Runnable later(Duration delay, Runnable what) {
      return own.later(delay, what);
    }
  }

  /** A PUT that changes admin states leaves out those that it does not change. */
  private static final class Forgetful extends Changed {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Map<String, Map<String, String>> read = new HashMap<>();

    Forgetful(Wire own) {
      super(own, request -> request);
    }

    @Override
    public void send(Request request, Reply reply) {
      super.send(
          request.method().equals("PUT") ? forgetful(request) : request,
          new Reply() {
            @Override
            public boolean awaited() {
              return reply.awaited();
            }

            @Override
            public void answered(Answer answer) {
              if (request.method().equals("GET") && answer.status() == 200) {
                keep(request.url(), answer.body());
              }
              reply.answered(answer);
            }

            @Override
            public void failed(IOException why) {
              reply.failed(why);
            }
          });
    }

    private void keep(String url, String body) {
      try {
        Map<String, String> states = new HashMap<>();
        for (JsonNode entry : entries(JSON.readTree(body))) {
          states.put(entry.path("name").asText(), state(entry));
        }
        read.put(url, states);
      } catch (JsonProcessingException spoiled) {
        read.remove(url);
      }
    }

    private Request forgetful(Request request) {
      try {
        Map<String, String> before = read.getOrDefault(request.url(), Map.of());
        JsonNode pool = JSON.readTree(request.body());
        boolean drains = false;
        for (JsonNode entry : entries(pool)) {
          drains |= changes(entry, before);
        }
        for (JsonNode entry : entries(pool)) {
          if (drains
              && !changes(entry, before)
              && entry.path("properties") instanceof ObjectNode own) {
            own.remove("adminState");
          }
        }
        return new Request(
            request.method(),
            request.url(),
            request.headers(),
            JSON.writeValueAsString(pool),
            request.call());
      } catch (JsonProcessingException impossible) {
        throw new IllegalStateException("a PUT that is no JSON", impossible);
      }
    }

    private static boolean changes(JsonNode entry, Map<String, String> before) {
      return !state(entry).equals(before.getOrDefault(entry.path("name").asText(), "None"));
    }

    private static Iterable<JsonNode> entries(JsonNode pool) {
      return pool.at("/properties/loadBalancerBackendAddresses");
    }

    private static String state(JsonNode entry) {
      return entry.at("/properties/adminState").asText("None");
    }
  }
}
