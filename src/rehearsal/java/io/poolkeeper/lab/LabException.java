package io.poolkeeper.lab;

/** A rehearsal could not run; the message is shown as it is. */
public final class LabException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public LabException(String message) {
    super(message);
  }

  public LabException(String message, Throwable cause) {
    super(message, cause);
  }
}
