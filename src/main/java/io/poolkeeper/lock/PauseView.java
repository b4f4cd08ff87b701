package io.poolkeeper.lock;

import io.poolkeeper.model.Pause;
import java.util.Optional;

/**
 * The meaning of the annotations of the leader's Lease.
 *
 * @param pause empty if nothing is paused
 * @param ignored which annotation is ignored, and what is allowed there; empty if none is
 */
public record PauseView(Optional<Pause> pause, Optional<String> ignored) {
  public static final PauseView NONE = new PauseView(Optional.empty(), Optional.empty());
}
