package io.poolkeeper.model;

import static io.poolkeeper.model.Names.required;

/** The parts of a Namespace that the controller needs; one without the label has no view. */
public record NamespaceView(String name, String uid, Manage label) {
  public NamespaceView {
    required("namespace", name);
  }
}
