package io.poolkeeper.model;

import java.util.Map;
import java.util.Optional;

/**
 * The annotation of a Service, or the label of a Namespace, on whether to touch its pools
 * (docs/topics/scope.md).
 *
 * @param found its value, cut to 64 characters; empty if there is none
 */
public record Manage(Optional<String> found) {
  /** The key of annotation and label. */
  public static final String KEY = "poolkeeper.io/manage";

  public static final Manage ABSENT = new Manage(Optional.empty());

  private static final int LONGEST = 64;

  public Manage {
    found = found.map(value -> Truncated.to(LONGEST, value));
  }

  /** The annotation or label among all of an object. */
  public static Manage in(Map<String, String> annotations) {
    return new Manage(Optional.ofNullable(annotations.get(KEY)));
  }

  /** Whether to touch pools; empty if neither is said: any other value counts as absent. */
  public Optional<Boolean> says() {
    return found.filter(value -> value.equals("true") || value.equals("false")).map("true"::equals);
  }
}
