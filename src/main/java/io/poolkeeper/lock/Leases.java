package io.poolkeeper.lock;

import java.util.concurrent.CompletionStage;

/**
 * The port to the shared Lease at the API server. Every call ends, and none fails: what goes wrong
 * is an answer, too. At most one call is in flight.
 */
public interface Leases {
  CompletionStage<LeaseAnswer> read();

  /**
   * Takes it, or makes it, unless it has changed since it was read. Its duration is never made
   * shorter.
   */
  CompletionStage<LeaseAnswer> take(LeaseView read);

  /** Gives it back, unless it has changed since it was read. */
  CompletionStage<LeaseAnswer> giveBack(LeaseView read);
}
