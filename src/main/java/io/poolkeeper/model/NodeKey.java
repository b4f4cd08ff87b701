package io.poolkeeper.model;

import static io.poolkeeper.model.Names.fold;
import static io.poolkeeper.model.Names.required;
import static io.poolkeeper.model.Names.same;

import org.jspecify.annotations.Nullable;

/**
 * A node by name. Kubernetes writes names in lower case; the entries of a backend pool may carry
 * any, so names compare ignoring case.
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
