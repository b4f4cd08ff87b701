package io.poolkeeper.model;

/** The object that an event is about; one created again under the same name has another UID. */
public sealed interface ObjectReference {
  String uid();

  /** Of a core/v1 object. */
  String kind();

  /** Empty for an object of the whole cluster. */
  String namespace();

  String name();

  /** A Service. */
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

  /** A Node. */
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
}
