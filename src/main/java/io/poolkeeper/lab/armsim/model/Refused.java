package io.poolkeeper.lab.armsim.model;

/** Ends the handling of a call with an error answer. Never leaves the model. */
final class Refused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient ArmAnswer answer;

  Refused(ArmAnswer answer) {
    super(answer.code(), null, false, false);
    this.answer = answer;
  }

  ArmAnswer answer() {
    return answer;
  }
}
