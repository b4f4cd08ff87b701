package io.poolkeeper.admission;

/** A binding by name. */
public record BindingKey(String namespace, String name) {
  /** {@code namespace/name}, the form used in logs and in the API. */
  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
