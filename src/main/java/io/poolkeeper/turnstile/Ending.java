package io.poolkeeper.turnstile;

/** How a turn ended, as far as others are concerned. */
public enum Ending {
  /** ARM did as it was asked. */
  WELL,
  /** It did not, and it is known that nothing runs on. */
  BADLY,
  /** The pool was being written by somebody else, and nothing was begun. */
  OTHERS_WRITE,
  /** A write was accepted, and how it ends is not known. */
  UNRESOLVED
}
