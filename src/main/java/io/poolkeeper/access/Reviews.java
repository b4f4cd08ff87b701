package io.poolkeeper.access;

import java.util.concurrent.CompletionStage;

/** Asks Kubernetes who owns a token, and whether the owner may read an area. */
@FunctionalInterface
public interface Reviews {
  /** Ends within seconds, and by no exception. */
  CompletionStage<AccessVerdict> review(Token token, Area area);
}
