package io.poolkeeper.access;

/** What Kubernetes says to a token and an area. */
public sealed interface Verdict {
  /** Its owner may read the area. */
  record Granted(String user) implements Verdict {}

  /** Its owner may not. */
  record Forbidden(String user) implements Verdict {}

  /** It is no token of this cluster, or one no more. */
  record NoUser() implements Verdict {}

  /** Kubernetes did not say. */
  record Unanswered(String why) implements Verdict {}
}
