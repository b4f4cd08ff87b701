package io.poolkeeper.lock;

import java.util.concurrent.CompletionStage;

/**
 * The port to the shared Lease at the API server. Every call ends, and no stage fails: a failure is
 * an answer, too. At most one call is in flight.
 */
public interface Leases {
  CompletionStage<LeaseAnswer> read();

  /**
   * Takes or creates the Lease, unless it has changed since it was read. Its duration never becomes
   * shorter.
   */
  CompletionStage<LeaseAnswer> take(LeaseView read);

  /** Gives the Lease back, unless it has changed since it was read. */
  CompletionStage<LeaseAnswer> giveBack(LeaseView read);
}
