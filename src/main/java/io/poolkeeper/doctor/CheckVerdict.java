package io.poolkeeper.doctor;

/** What a check says. Only {@link #FAIL} makes the command fail. */
public enum CheckVerdict {
  OK("ok"),
  WARN("warn"),
  FAIL("fail"),
  /** It was asked, and the answer says nothing. */
  NOT_KNOWN("not known"),
  /** It could not be asked. */
  NOT_TESTED("not tested");

  private final String text;

  CheckVerdict(String text) {
    this.text = text;
  }

  /** Part of a contract. */
  @Override
  public String toString() {
    return text;
  }
}
