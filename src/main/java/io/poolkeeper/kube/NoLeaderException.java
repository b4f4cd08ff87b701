package io.poolkeeper.kube;

/** The leader cannot be found or reached; the message says why, and what helps. */
public final class NoLeaderException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NoLeaderException(String message) {
    super(message);
  }
}
