package io.poolkeeper.model;

import static io.poolkeeper.model.Names.fold;
import static io.poolkeeper.model.Names.required;
import static io.poolkeeper.model.Names.same;

import org.jspecify.annotations.Nullable;

/**
 * A node by name. Kubernetes names are in lower case, but entries of a backend pool may have any
 * case; so names compare ignoring it.
 */
public record NodeKey(String name) implements Comparable<NodeKey> {
  public NodeKey {
    required("node", name);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof NodeKey key && same(name, key.name);
  }

  @Override
  public int hashCode() {
    return fold(name).hashCode();
  }

  @Override
  public int compareTo(NodeKey other) {
    return fold(name).compareTo(fold(other.name));
  }

  @Override
  public String toString() {
    return name;
  }
}
