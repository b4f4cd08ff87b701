package io.poolkeeper.model;

/** A Kubernetes event about an object, ready to be recorded. */
public record ObjectEvent(ObjectReference about, Type type, String reason, String message) {
  public enum Type {
    NORMAL,
    WARNING
  }
}
