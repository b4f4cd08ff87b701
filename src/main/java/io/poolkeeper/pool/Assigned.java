package io.poolkeeper.pool;

/** A Service's ownership of a pool and its level there. */
public record Assigned(Assignment assignment, Level level) {
  /** Whether the Service is the one of that UID. */
  public boolean isOf(String uid) {
    return assignment.uid().equals(uid);
  }
}
