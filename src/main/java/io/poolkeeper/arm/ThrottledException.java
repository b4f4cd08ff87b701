package io.poolkeeper.arm;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.RequestIds;
import java.time.Instant;

/**
 * The failure of a call that ARM throttles: ARM answered 429, or the call was not sent because an
 * earlier 429 is still in force (spec 1, ThrottleError).
 */
public final class ThrottledException extends ArmException {
  /** The message of every throttled call, whatever ARM wrote. */
  public static final String MESSAGE = "too many requests";

  private static final long serialVersionUID = 1L;

  private final transient Instant retryAfter;

  /**
   * A call that ARM answered with 429.
   *
   * @param text what ARM said
   * @param retryAfter monotonic; not in the future if ARM did not say
   */
  public ThrottledException(String code, String text, Instant retryAfter, RequestIds ids) {
    super(MESSAGE, ArmFailure.throttled(code, text, retryAfter).with(ids));
    this.retryAfter = retryAfter;
  }

  /** A call that was not sent until then, monotonic. */
  public ThrottledException(String text, Instant until) {
    super(MESSAGE, ArmFailure.held(text, until));
    this.retryAfter = until;
  }

  /** When ARM takes such calls again, monotonic. */
  public Instant retryAfter() {
    return retryAfter;
  }
}
