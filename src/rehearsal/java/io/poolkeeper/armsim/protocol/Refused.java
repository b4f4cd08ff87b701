package io.poolkeeper.armsim.protocol;

/** Ends the handling of a call with an error answer. Never leaves the model. */
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
