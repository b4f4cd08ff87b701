package io.poolkeeper.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.armsim.protocol.ArmPath;
import io.poolkeeper.model.LoadBalancerId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The part of the checker that looks at what is sent to ARM and what comes of it: no call through a
 * closed gate, the etag and the addresses of every PUT, which write runs where, and that every
 * exchange is counted.
 */
final class Traffic {
  private final Timeline time;
  private final SimAzure azure;
  private final Checker checker;
  private final Trace trace;
  private final Map<LoadBalancerId, Attempt> running = new HashMap<>();

  Traffic(Timeline time, SimAzure azure, Checker checker, Trace trace) {
    this.time = time;
    this.azure = azure;
    this.checker = checker;
    this.trace = trace;
  }

  Checker checker() {
    return checker;
  }

  SimAzure azure() {
    return azure;
  }

  Trace trace() {
    return trace;
  }

  /** An answer reaches the process. */
  void arrived(Life life, ArmCall call, int status) {
    checker.of(life).calls.arrived(call, status);
  }

  /** The controller counts one exchange with ARM. */
  void counted(Life life, String kind, int status) {
    checker
        .of(life)
        .calls
        .counted(kind, status)
        .ifPresent(how -> checker.violated("life %d %s".formatted(life.number, how)));
  }

  /** Why the request ought not to be sent. */
  Optional<String> sending(Life life, ArmCall call) {
    checker.of(life).calls.sent(call);
    ArmPath path = call.path();
    boolean write = call.method() == ArmCall.Method.PUT;
    Optional<String> closed = checker.of(life).gates.closed(path, write, time.now());
    if (closed.isPresent()) {
      return closed.map(why -> "life %d: sends %s".formatted(life.number, why));
    }
    if (!write || !(path instanceof ArmPath.OnePool pool)) {
      return Optional.empty();
    }
    checker.of(life).bucket.sent(time.now());
    Optional<Attempt> attempt = life.pool(pool.id()).flatMap(checker::attempt);
    return attempt.flatMap(found -> wrong(found, call));
  }

  private static Optional<String> wrong(Attempt attempt, ArmCall call) {
    String name = attempt.cell.name;
    String etag = call.ifMatch().orElse("");
    if (!etag.equals(attempt.etag) || etag.isEmpty()) {
      return Optional.of("%s: If-Match %s, read %s".formatted(name, etag, attempt.etag));
    }
    Set<String> sent = addresses(call.object());
    Set<String> strange = new TreeSet<>(sent);
    strange.removeAll(attempt.read);
    strange.removeAll(attempt.wished);
    if (!strange.isEmpty()) {
      return Optional.of("%s: writes %s, which nobody wants".formatted(name, strange));
    }
    return Optional.empty();
  }

  private static Set<String> addresses(JsonNode body) {
    Set<String> found = new TreeSet<>();
    for (JsonNode entry : body.at("/properties/loadBalancerBackendAddresses")) {
      found.add(entry.at("/properties/ipAddress").asText());
    }
    return found;
  }

  SimAzure.Sender sender(Life life, ArmCall call) {
    Optional<Attempt> attempt =
        call.path() instanceof ArmPath.OnePool pool
            ? life.pool(pool.id()).flatMap(checker::attempt)
            : Optional.empty();
    return new Exchange(this, life, attempt);
  }

  /** The attempt whose write runs on a load balancer; null if none of the controller's does. */
  @Nullable Attempt running(LoadBalancerId balancer) {
    return running.get(balancer);
  }

  void runs(LoadBalancerId balancer, Attempt attempt) {
    running.put(balancer, attempt);
  }

  void ended(Attempt attempt) {
    running.remove(attempt.loadBalancer(), attempt);
  }

  /** ARM answers a call with 429. */
  void throttled(Life life, ArmCall call, ArmAnswer answer, Optional<Attempt> attempt) {
    boolean write = call.method() == ArmCall.Method.PUT;
    checker.of(life).gates.close(call.path(), write, answer, time.now(), azure.troubles().wall());
    boolean others =
        checker.attempts().stream()
            .anyMatch(a -> a.outstanding && a.hasRead && !Optional.of(a).equals(attempt));
    if (others) {
      checker.mark(Mark.GATE_CLOSED_WHILE_WRITING);
    }
  }

  /** Somebody else wrote to a load balancer; what ran there is superseded. */
  void othersWrote(LoadBalancerId balancer) {
    if (running.remove(balancer) != null) {
      checker.mark(Mark.WRITE_SUPERSEDED);
    }
    changed(balancer);
  }

  void changed(LoadBalancerId balancer) {
    for (Attempt attempt : checker.attempts()) {
      if (attempt.loadBalancer().equals(balancer)) {
        attempt.contents.add(azure.addresses(attempt.cell.id.path()));
      }
    }
  }
}
