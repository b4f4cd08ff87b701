package io.poolkeeper.access;

/** What Kubernetes says to a token and an area. */
public sealed interface AccessVerdict {
  /** Its owner may read the area. */
  record Granted(String user) implements AccessVerdict {}

  /** Its owner may not. */
  record Forbidden(String user) implements AccessVerdict {}

  /** It is no token of this cluster, or one no more. */
  record NoUser() implements AccessVerdict {}

  /** Kubernetes did not say. */
  record Unanswered(String why) implements AccessVerdict {}
}
