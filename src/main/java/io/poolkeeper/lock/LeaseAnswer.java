package io.poolkeeper.lock;

/** The result of a call about the Lease. */
public sealed interface LeaseAnswer {
  /** The Lease as it is now, read or written. */
  record Is(LeaseView view) implements LeaseAnswer {}

  /** Another client has changed the Lease since it was read; nothing was written. */
  record Conflict() implements LeaseAnswer {}

  /** The API server did not answer or refused; a write may have been made. */
  record Failed(String error) implements LeaseAnswer {}
}
