package io.poolkeeper.simulation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.arm.azure.Wire;
import io.poolkeeper.armsim.model.Handled;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.armsim.protocol.ArmPath;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.PoolId;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** One exchange of a process with ARM, seen from both ends of the wire. */
final class Exchange implements SimArm.Sender {
  final ArmCall call;
  final Optional<Attempt> attempt;

  /** The pool that it, or the write that it follows, is about. */
  final Optional<PoolId> whose;

  final Instant sentAt;
  private final Ledger ledger;
  private final boolean asked;
  private final Wire.Reply reply;

  /** The status that arrived; 0 before. */
  private int status;

  Exchange(
      Ledger ledger,
      ArmCall call,
      boolean asked,
      Optional<Attempt> attempt,
      Optional<PoolId> whose,
      Wire.Reply reply,
      Instant sentAt) {
    this.ledger = ledger;
    this.asked = asked;
    this.call = call;
    this.attempt = attempt;
    this.whose = whose;
    this.reply = reply;
    this.sentAt = sentAt;
  }

  boolean write() {
    return call.method() == ArmCall.Method.PUT;
  }

  /** As the metric of the controller calls it. */
  String kind() {
    if (write()) {
      return "put";
    }
    if (call.path() instanceof ArmPath.OnePool) {
      return asked ? "look" : "get";
    }
    return call.path() instanceof ArmPath.LoadBalancers ? "list" : "poll";
  }

  /** Whether it is part of a turn, or takes the place of one. */
  boolean inTurn() {
    return !asked;
  }

  boolean awaited() {
    return reply.awaited();
  }

  boolean ended() {
    return status != 0;
  }

  int status() {
    return status;
  }

  boolean mayBeRepeated() {
    return ArmFailure.REPEATED.contains(status);
  }

  void arrived(int with) {
    status = with;
  }

  @Override
  public void handled(ArmCall seen, Handled handled, boolean lost) {
    attempt.ifPresent(found -> handled(found, found.pool, handled, lost));
  }

  private void handled(Attempt found, PoolId pool, Handled handled, boolean lost) {
    if (write()) {
      ledger.handled(pool, handled);
    }
    if (handled.accepted()) {
      ledger.accepted(this, found, handled, lost);
      ledger.attempts().changed(pool.loadBalancer());
    } else if (write() && handled.answer().status() == 412) {
      ledger.settling().refused(found);
    }
  }

  @Override
  public void operationEnded() {
    attempt.ifPresent(found -> ledger.operationEnded(this, found));
  }

  /** The JSON of an answer; empty if it is none. */
  static Optional<JsonNode> json(Wire.Answer answer) {
    try {
      return Optional.of(ArmJson.MAPPER.readTree(answer.body()));
    } catch (JsonProcessingException garbage) {
      return Optional.empty();
    }
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

  /** The addresses in the JSON of a pool. */
  static Set<String> addresses(JsonNode pool) {
    return states(pool).keySet();
  }
}
