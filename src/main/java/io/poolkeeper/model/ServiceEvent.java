package io.poolkeeper.model;

/** A Kubernetes event about a Service, ready to be recorded. */
public record ServiceEvent(
    ServiceKey service, String uid, Type type, String reason, String message) {
  /** The two types that Kubernetes knows. */
  public enum Type {
    NORMAL,
    WARNING
  }
}
