package io.poolkeeper.node;

import java.util.concurrent.CompletionStage;

/** The port that patches Nodes. */
@FunctionalInterface
public interface NodePatches {
  /**
   * Reads the Node, and adds those ids of the patch to its annotation that are missing there. Adds
   * the taint, if the patch wants it, only if the annotation had none of the ids. Patches nothing
   * if no id is missing. Never blocks, and its stage never fails.
   */
  CompletionStage<PatchResult> patch(NodeEffect.Patch patch);
}
