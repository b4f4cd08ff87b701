package io.poolkeeper.access;

/** The answer of Kubernetes on whether a token may read an area. */
public sealed interface AccessVerdict {
  record Granted(String user) implements AccessVerdict {}

  record Forbidden(String user) implements AccessVerdict {}

  /** The token is none of this cluster, or no longer valid. */
  record NoUser() implements AccessVerdict {}

  record Unanswered(String why) implements AccessVerdict {}
}
