package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.core.JsonGenerator;
import io.poolkeeper.model.LoadBalancerId;
import java.io.IOException;
import java.util.Optional;

/**
 * A long-running operation on one resource.
 *
 * @param name Azure's own name for what it does, such as {@code PutLoadBalancerOperation}
 */
public record Operation(String id, String name, Subject subject, Outcome outcome) {
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

  /** What an operation changes. */
  public sealed interface Subject {
    /** A load balancer or one of its pools. */
    record Balancer(LoadBalancerId id) implements Subject {}

    /** Any other resource, by its id's path. */
    record Other(String path) implements Subject {}
  }

  /** The state of an operation. */
  public sealed interface Outcome {
    /** It has not ended. */
    record Running() implements Outcome {}

    /** It succeeded. */
    record Succeeded() implements Outcome {}

    /** It failed. */
    record Failed(String code, String message) implements Outcome {}

    /** It was cancelled for an unknown reason; the code is that of the error's detail. */
    record Canceled(String code) implements Outcome {}

    /** It was cancelled by a later one; the text names that one. */
    record Superseded(String by) implements Outcome {}
  }

  static Operation started(String id, String name, Subject subject) {
    return new Operation(id, name, subject, new Outcome.Running());
  }

  static Operation started(String id, String name, LoadBalancerId balancer) {
    return started(id, name, new Subject.Balancer(balancer));
  }

  Operation succeeded() {
    return ended(new Outcome.Succeeded());
  }

  Operation superseded(Operation by) {
    return ended(new Outcome.Superseded(by.reference()));
  }

  Operation ended(Outcome how) {
    return new Operation(id, name, subject, how);
  }

  boolean running() {
    return outcome instanceof Outcome.Running;
  }

  /** The load balancer that it changes, if it changes one. */
  public Optional<LoadBalancerId> loadBalancer() {
    return switch (subject) {
      case Subject.Balancer balancer -> Optional.of(balancer.id());
      case Subject.Other other -> Optional.empty();
    };
  }

  /** Its name and guid, as errors of other operations quote them. */
  String reference() {
    return name + " (" + id + ")";
  }

  /** The body that a poll answers. */
  void write(JsonGenerator out) throws IOException {
    out.writeStartObject();
    switch (outcome) {
      case Outcome.Running running -> out.writeStringField("status", "InProgress");
      case Outcome.Succeeded succeeded -> out.writeStringField("status", "Succeeded");
      case Outcome.Failed failed -> {
        out.writeStringField("status", "Failed");
        openError(out, failed.code(), failed.message());
        closeError(out);
      }
      case Outcome.Canceled canceled ->
          writeCanceled(out, canceled.code(), "Operation %s was canceled.".formatted(reference()));
      case Outcome.Superseded superseded ->
          writeCanceled(
              out,
              SUPERSEDED,
              "Operation %s was canceled and superseded by operation %s."
                  .formatted(reference(), superseded.by()));
    }
    out.writeEndObject();
  }

  private static void writeCanceled(JsonGenerator out, String code, String message)
      throws IOException {
    out.writeStringField("status", "Canceled");
    openError(out, "Canceled", "Operation was canceled.");
    out.writeStartObject();
    out.writeStringField("code", code);
    out.writeStringField("message", message);
    out.writeEndObject();
    closeError(out);
  }

  private static void openError(JsonGenerator out, String code, String message) throws IOException {
    out.writeObjectFieldStart("error");
    out.writeStringField("code", code);
    out.writeStringField("message", message);
    out.writeArrayFieldStart("details");
  }

  private static void closeError(JsonGenerator out) throws IOException {
    out.writeEndArray();
    out.writeEndObject();
  }
}
