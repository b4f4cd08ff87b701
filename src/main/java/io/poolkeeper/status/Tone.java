package io.poolkeeper.status;

/** Who acts next, the calmest first. */
public enum Tone {
  /** Nobody: all is well, or meant. */
  OK,
  /** It moves now. */
  MOVE,
  /** It waits, and goes on by itself. */
  WAIT,
  /** It needs a person. */
  NEED
}
