package io.poolkeeper.model;

import static io.poolkeeper.model.Names.fold;
import static io.poolkeeper.model.Names.required;

import org.jspecify.annotations.Nullable;

/**
 * A node by name. Kubernetes names are in lower case, but entries of a backend pool may have any
 * case; so names compare ignoring it.
 *
 * @param name as written
 * @param folded the normal form, shared by equal names
 */
public record NodeKey(String name, String folded) implements Comparable<NodeKey> {
  public NodeKey(String name) {
    this(required("node", name), fold(name));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof NodeKey key && folded.equals(key.folded);
  }

  @Override
  public int hashCode() {
    return folded.hashCode();
  }

  @Override
  public int compareTo(NodeKey other) {
    return folded.compareTo(other.folded);
  }

  @Override
  public String toString() {
    return name;
  }
}
