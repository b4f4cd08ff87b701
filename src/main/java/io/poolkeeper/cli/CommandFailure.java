package io.poolkeeper.cli;

/** A command could not do its work: its message is all that people see, and the exit code is 1. */
public final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public CommandFailure(String message) {
    super(message);
  }

  public CommandFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
