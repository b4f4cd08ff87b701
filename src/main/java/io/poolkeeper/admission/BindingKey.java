package io.poolkeeper.admission;

import java.util.Comparator;

/** A binding by name. */
public record BindingKey(String namespace, String name) implements Comparable<BindingKey> {
  private static final Comparator<BindingKey> ORDER =
      Comparator.comparing(BindingKey::namespace).thenComparing(BindingKey::name);

  @Override
  public int compareTo(BindingKey other) {
    return ORDER.compare(this, other);
  }

  /** {@code namespace/name}, the form used in logs and in the API. */
  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
