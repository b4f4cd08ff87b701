package io.poolkeeper.lab.armsim.model;

import com.fasterxml.jackson.core.JsonGenerator;
import io.poolkeeper.model.LoadBalancerId;
import java.io.IOException;
import java.util.Optional;

/**
 * A long-running operation on one load balancer.
 *
 * @param supersededBy the operation that cancelled it; present if and only if the status is
 *     Canceled
 */
public record Operation(
    String id,
    LoadBalancerId loadBalancer,
    Kind kind,
    Status status,
    Optional<Reference> supersededBy) {

  /** What the operation does; the text is Azure's own name for it. */
  public enum Kind {
    PUT_LOAD_BALANCER("PutLoadBalancerOperation"),
    PUT_POOL("PutLoadBalancerBackendAddressPoolOperation"),
    DELETE_LOAD_BALANCER("DeleteLoadBalancerOperation"),
    DELETE_POOL("DeleteLoadBalancerBackendAddressPoolOperation");

    private final String text;

    Kind(String text) {
      this.text = text;
    }
  }

  /** How far it is. */
  public enum Status {
    RUNNING("InProgress"),
    SUCCEEDED("Succeeded"),
    CANCELED("Canceled");

    private final String text;

    Status(String text) {
      this.text = text;
    }
  }

  /** Another operation by name. */
  public record Reference(Kind kind, String id) {
    @Override
    public String toString() {
      return kind.text + " (" + id + ")";
    }
  }

  static Operation started(String id, LoadBalancerId loadBalancer, Kind kind) {
    return new Operation(id, loadBalancer, kind, Status.RUNNING, Optional.empty());
  }

  Operation succeeded() {
    return new Operation(id, loadBalancer, kind, Status.SUCCEEDED, Optional.empty());
  }

  Operation superseded(Operation by) {
    return new Operation(id, loadBalancer, kind, Status.CANCELED, Optional.of(by.reference()));
  }

  boolean running() {
    return status == Status.RUNNING;
  }

  private Reference reference() {
    return new Reference(kind, id);
  }

  /** The body that a poll answers. */
  void write(JsonGenerator out) throws IOException {
    out.writeStartObject();
    out.writeStringField("status", status.text);
    if (supersededBy.isPresent()) {
      out.writeObjectFieldStart("error");
      out.writeStringField("code", "Canceled");
      out.writeStringField("message", "Operation was canceled.");
      out.writeArrayFieldStart("details");
      out.writeStartObject();
      out.writeStringField("code", "CanceledAndSupersededDueToAnotherOperation");
      out.writeStringField(
          "message",
          "Operation %s was canceled and superseded by operation %s."
              .formatted(reference(), supersededBy.get()));
      out.writeEndObject();
      out.writeEndArray();
      out.writeEndObject();
    }
    out.writeEndObject();
  }
}
