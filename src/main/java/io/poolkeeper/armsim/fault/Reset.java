package io.poolkeeper.armsim.fault;

/** Whether the connection closes before an answer is complete. */
public enum Reset {
  NONE,
  /** Before the first byte of the answer. */
  BEFORE,
  /** In the middle of the answer's body. */
  HALF
}
