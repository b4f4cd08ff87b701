package io.poolkeeper.arm;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.ArmFailure.Kind;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;

/** The only exception that a future of the ports in this package fails with. */
public class ArmException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The most errors that are searched. */
  private static final int MAX_ERRORS = 100;

  private final transient ArmFailure failure;

  public ArmException(ArmFailure failure, Throwable cause) {
    super(failure.toString(), cause);
    this.failure = failure;
  }

  public ArmException(ArmFailure failure) {
    super(failure.toString());
    this.failure = failure;
  }

  /** A failure with a message of its own. */
  ArmException(String message, ArmFailure failure) {
    super(message);
    this.failure = failure;
  }

  public ArmFailure failure() {
    return failure;
  }

  /**
   * The failure in an error, searched through causes and suppressed errors, breadth first: the
   * first {@link ArmException}, then a cancellation; anything else is of kind {@code OTHER}.
   */
  public static ArmFailure failureIn(Throwable error) {
    boolean cancelled = false;
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<Throwable> next = new ArrayDeque<>(List.of(error));
    while (!next.isEmpty() && seen.size() < MAX_ERRORS) {
      Throwable candidate = next.removeFirst();
      if (candidate instanceof ArmException known) {
        return known.failure();
      }
      if (seen.add(candidate)) {
        cancelled |= candidate instanceof CancellationException;
        Optional.ofNullable(candidate.getCause()).ifPresent(next::addLast);
        next.addAll(Arrays.asList(candidate.getSuppressed()));
      }
    }
    return new ArmFailure(cancelled ? Kind.SHUTDOWN : Kind.OTHER, 0, "", error.toString());
  }
}
