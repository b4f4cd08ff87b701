package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.armsim.protocol.ResourceId;
import io.poolkeeper.model.LoadBalancerId;
import java.util.Optional;
import java.util.Set;

/**
 * A long-running operation on one resource.
 *
 * @param name Azure's own name for what it does, such as {@code PutLoadBalancerOperation}
 * @param path the id of the resource, of the whole load balancer for a part of it, or of the group
 */
public record Operation(String id, String name, String path, Outcome outcome) {
  static final String PUT_LOAD_BALANCER = "PutLoadBalancerOperation";
  static final String PUT_POOL = "PutLoadBalancerBackendAddressPoolOperation";
  static final String DELETE_LOAD_BALANCER = "DeleteLoadBalancerOperation";
  static final String PUT_NAT_RULE = "PutLoadBalancerInboundNatRuleOperation";
  static final String DELETE_NAT_RULE = "DeleteLoadBalancerInboundNatRuleOperation";
  static final String DELETE_POOL = "DeleteLoadBalancerBackendAddressPoolOperation";

  static final String PUT_RESOURCE = "PutResourceOperation";
  static final String DELETE_RESOURCE = "DeleteResourceOperation";
  static final String DELETE_GROUP = "DeleteResourceGroupOperation";

  /** The detail of an operation that a later one cancelled. */
  public static final String SUPERSEDED = "CanceledAndSupersededDueToAnotherOperation";

  public sealed interface Outcome {
    record Running() implements Outcome {}

    record Succeeded() implements Outcome {}

    record Failed(String code, String message) implements Outcome {}

    /** It was cancelled for an unknown reason; the code is that of the error's detail. */
    record Canceled(String code) implements Outcome {}

    /** It was cancelled by a later one; the text names that one. */
    record Superseded(String by) implements Outcome {}
  }

  Operation ended(Outcome how) {
    return new Operation(id, name, path, how);
  }

  boolean running() {
    return outcome instanceof Outcome.Running;
  }

  public Optional<LoadBalancerId> loadBalancer() {
    return ResourceId.parse(path).flatMap(ResourceId::balancer);
  }

  /** Its name and guid, as errors of other operations quote them. */
  String reference() {
    return name + " (" + id + ")";
  }

  ObjectNode json() {
    ObjectNode json = ArmJson.MAPPER.createObjectNode();
    switch (outcome) {
      case Outcome.Running running -> json.put("status", "InProgress");
      case Outcome.Succeeded succeeded -> json.put("status", "Succeeded");
      case Outcome.Failed failed ->
          putError(json.put("status", "Failed"), failed.code(), failed.message());
      case Outcome.Canceled canceled ->
          putCanceled(json, canceled.code(), "Operation %s was canceled.".formatted(reference()));
      case Outcome.Superseded superseded ->
          putCanceled(
              json,
              SUPERSEDED,
              "Operation %s was canceled and superseded by operation %s."
                  .formatted(reference(), superseded.by()));
    }
    return json;
  }

  /**
   * What its result is once it has ended. The failure of a PUT of a pool is the error itself; its
   * status is not recorded.
   */
  ArmAnswer result() {
    boolean failed = name.equals(PUT_POOL) && !(outcome instanceof Outcome.Succeeded);
    return failed
        ? ArmAnswer.of(409, ArmJson.without(json(), Set.of("status")))
        : ArmAnswer.empty(name.equals(DELETE_GROUP) ? 200 : 204);
  }

  private static void putCanceled(ObjectNode json, String code, String message) {
    putError(json.put("status", "Canceled"), "Canceled", "Operation was canceled.")
        .addObject()
        .put("code", code)
        .put("message", message);
  }

  /** Returns the error's details, of which there are none yet. */
  private static ArrayNode putError(ObjectNode json, String code, String message) {
    return json.putObject("error").put("code", code).put("message", message).putArray("details");
  }
}
