package io.poolkeeper.arm;

import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.PoolId;
import java.util.concurrent.CompletionStage;

/**
 * Reads and writes single backend pools. Futures fail with {@link ArmException} only; none stays
 * open for ever.
 */
public interface BackendPools {
  /** Reads a pool afresh. */
  CompletionStage<PoolDocument> get(PoolId pool);

  /**
   * Writes the document with the edit applied, guarded by the document's etag, and follows the
   * operation to its end. Members that the edit does not name are sent back as they were read.
   *
   * @return completes when the operation has succeeded
   */
  CompletionStage<Void> put(PoolDocument document, PoolEdit edit);
}
