package io.poolkeeper.armsim.protocol;

/** Ends the handling of a call with an error answer. Ends in the model, never leaves it. */
public final class Refused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient ArmAnswer answer;

  public Refused(ArmAnswer answer) {
    super(answer.code(), null, false, false);
    this.answer = answer;
  }

  public ArmAnswer answer() {
    return answer;
  }
}
