package io.poolkeeper.node;

import java.util.concurrent.CompletionStage;

/** The port that patches Nodes. */
@FunctionalInterface
public interface NodePatches {
  /**
   * Reads the Node and patches what it lacks. Patches nothing if its annotation has one of the ids
   * and no other is missing. Never blocks, and its stage never fails.
   */
  CompletionStage<PatchResult> patch(NodeEffect.Patch patch);
}
