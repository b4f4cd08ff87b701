package io.poolkeeper.node;

/** How a patch of a Node ended. */
public enum PatchResult {
  /** The Node has all that it was to have. */
  DONE,
  /** The Node changed between reading and patching. */
  CONFLICT,
  /** The Node was deleted, or replaced under its name. */
  GONE,
  /** Any other failure, which was logged where it occurred. */
  FAILED
}
