package io.poolkeeper.node;

/** How a patch of a Node ended. */
public enum PatchResult {
  /** The Node is as it was to be. */
  DONE,
  /** The Node changed between reading and patching. */
  CONFLICT,
  /** There is no such Node any more, or another one under its name. */
  GONE,
  /** Anything else, logged where it was met. */
  FAILED
}
