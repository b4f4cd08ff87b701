package io.poolkeeper.model;

/**
 * The object that an event is about; one created again under the same name has another UID.
 *
 * @param apiVersion the group and version of its kind
 * @param namespace empty for an object of the whole cluster
 * @param uid need not be known
 */
public record ObjectReference(
    String apiVersion, String kind, String namespace, String name, String uid) {
  private static final String CORE = "v1";

  public static ObjectReference of(ServiceKey service, String uid) {
    return new ObjectReference(CORE, "Service", service.namespace(), service.name(), uid);
  }

  public static ObjectReference of(NodeKey node, String uid) {
    return new ObjectReference(CORE, "Node", "", node.name(), uid);
  }

  public static ObjectReference ofNamespace(String name, String uid) {
    return new ObjectReference(CORE, "Namespace", "", name, uid);
  }

  /** A Lease without a UID, as there may be none. */
  public static ObjectReference ofLease(String namespace, String name) {
    return new ObjectReference("coordination.k8s.io/v1", "Lease", namespace, name, "");
  }

  public static ObjectReference ofBinding(String namespace, String name, String uid) {
    return new ObjectReference(
        "poolkeeper.io/v1alpha1", "BackendPoolBinding", namespace, name, uid);
  }

  @Override
  public String toString() {
    return namespace.isEmpty() ? name : namespace + "/" + name;
  }
}
