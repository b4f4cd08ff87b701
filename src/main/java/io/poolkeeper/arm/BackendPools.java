package io.poolkeeper.arm;

import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import java.time.Instant;
import java.util.concurrent.CompletionStage;

/**
 * Reads and writes single backend pools. Futures fail with {@link ArmException} only; none stays
 * open for ever, and cancelling one ends its call.
 */
public interface BackendPools {
  /** Reads a pool afresh; the call is given up at the deadline, which is monotonic. */
  CompletionStage<PoolDocument> get(PoolId pool, Instant deadline);

  /** Reads a pool to see what another client has made of it; the deadline is as above. */
  CompletionStage<PoolView> look(PoolId pool, Instant deadline);

  /**
   * Writes the document with the edit applied, guarded by the document's etag, and follows the
   * operation to its end. Members that the edit does not name are sent back as they were read,
   * except those that only ARM may set.
   *
   * @param deadline monotonic; nothing is sent after it, neither a try of the write nor a poll
   * @return completes when the operation has succeeded
   */
  CompletionStage<Void> put(PoolDocument document, PoolEdit edit, Instant deadline);
}
