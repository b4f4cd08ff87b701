package io.poolkeeper.model;

/** The object that an event is about; one created again under the same name has another UID. */
public sealed interface ObjectReference {
  String uid();

  /** The group and version of its kind. */
  default String apiVersion() {
    return "v1";
  }

  String kind();

  /** Empty for an object of the whole cluster. */
  String namespace();

  String name();

  record OfService(ServiceKey service, String uid) implements ObjectReference {
    @Override
    public String kind() {
      return "Service";
    }

    @Override
    public String namespace() {
      return service.namespace();
    }

    @Override
    public String name() {
      return service.name();
    }

    @Override
    public String toString() {
      return service.toString();
    }
  }

  /** A Lease; its UID need not be known, as there may be none. */
  record OfLease(String namespace, String name) implements ObjectReference {
    @Override
    public String uid() {
      return "";
    }

    @Override
    public String apiVersion() {
      return "coordination.k8s.io/v1";
    }

    @Override
    public String kind() {
      return "Lease";
    }

    @Override
    public String toString() {
      return namespace + "/" + name;
    }
  }

  record OfNode(NodeKey node, String uid) implements ObjectReference {
    @Override
    public String kind() {
      return "Node";
    }

    @Override
    public String namespace() {
      return "";
    }

    @Override
    public String name() {
      return node.name();
    }

    @Override
    public String toString() {
      return node.name();
    }
  }

  /** A Namespace, which is in none. */
  record OfNamespace(String name, String uid) implements ObjectReference {
    @Override
    public String kind() {
      return "Namespace";
    }

    @Override
    public String namespace() {
      return "";
    }

    @Override
    public String toString() {
      return name;
    }
  }

  record OfBinding(String namespace, String name, String uid) implements ObjectReference {
    @Override
    public String apiVersion() {
      return "poolkeeper.io/v1alpha1";
    }

    @Override
    public String kind() {
      return "BackendPoolBinding";
    }

    @Override
    public String toString() {
      return namespace + "/" + name;
    }
  }
}
