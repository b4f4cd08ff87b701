package io.poolkeeper.access;

/** What Kubernetes says to a token and an area. */
public sealed interface AccessVerdict {
  record Granted(String user) implements AccessVerdict {}

  record Forbidden(String user) implements AccessVerdict {}

  /** It is no token of this cluster, or one no more. */
  record NoUser() implements AccessVerdict {}

  record Unanswered(String why) implements AccessVerdict {}
}
