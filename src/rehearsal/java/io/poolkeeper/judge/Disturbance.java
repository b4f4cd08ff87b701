package io.poolkeeper.judge;

import java.time.Duration;

/**
 * Kinds of disturbances, each with the longest wait in seconds that docs/ promises for it: for
 * members and for admin states, 0 if none. This is the table of docs/simulation.md.
 */
public enum Disturbance {
  /** A call of ours was refused, or a read failed. */
  REFUSED(300, 300),
  /** An operation of ours ended badly. */
  FAILED(300, 300),
  /** It is unknown what became of a write: until settle-limit, and the repair. */
  UNKNOWN_END(600, 600),
  THROTTLED(300, 300),
  /** Another client has the shared Lease, or took ours, or what we hear of it is late. */
  LEASE_HELD(10, 10),
  LEASE_UNREACHABLE(20, 10),
  /** A slow call or an accepted write of ours keeps the Lease elsewhere. */
  LEASE_KEPT(10, 0),
  /** The cloud provider says that it waits for the Lease. */
  COMPLAINED(10, 0),
  WATCH_LOST(5, 5),
  /** Another client wrote here; resync is the longest wait of a fight. */
  OTHER_WRITER(600, 600),
  /** The process begins, or it or an actor of it stands still, is slow or fails. */
  PROCESS(300, 300),
  /** The retry budget or a bucket may be empty. */
  BUDGET(300, 300),
  /** A bucket's whole burst went over the wire, of long operations' polls, too. */
  SPENT(300, 300),
  /** As many permits are out as may be. */
  IN_FLIGHT(60, 60);

  private final int members;
  private final int states;

  Disturbance(int members, int states) {
    this.members = members;
    this.states = states;
  }

  Duration wait(boolean ofMembers) {
    return Duration.ofSeconds(ofMembers ? members : states);
  }

  /** Whether nothing can be done while it lasts; its end starts a clock anew. */
  boolean stops(boolean ofMembers) {
    return switch (this) {
      case LEASE_KEPT, COMPLAINED -> false;
      case LEASE_HELD, LEASE_UNREACHABLE -> ofMembers;
      default -> true;
    };
  }
}
