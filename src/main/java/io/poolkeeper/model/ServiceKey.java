package io.poolkeeper.model;

import static io.poolkeeper.model.Names.required;

/** A Kubernetes Service by name; it may be deleted and created again with another UID. */
public record ServiceKey(String namespace, String name) implements Comparable<ServiceKey> {
  public ServiceKey {
    required("namespace", namespace);
    required("service", name);
  }

  @Override
  public int compareTo(ServiceKey other) {
    int byNamespace = namespace.compareTo(other.namespace);
    return byNamespace != 0 ? byNamespace : name.compareTo(other.name);
  }

  /** {@code namespace/name}, the form used in logs and in the API. */
  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
