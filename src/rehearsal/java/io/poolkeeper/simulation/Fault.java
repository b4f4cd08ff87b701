package io.poolkeeper.simulation;

/**
 * The classes of faults. Each is switched on or off for a whole run, so that rare mixes appear.
 * Those up to {@link #LOST_WRITE} are what one exchange with ARM may meet.
 */
enum Fault {
  /** 409 and 412 out of the blue. */
  CONFLICT,
  /** 429 for the subscription, with every form of Retry-After. */
  THROTTLE,
  /** 429 RetryableError for one load balancer. */
  LOCK,
  /** 408, 500, 502, 503, 504. */
  SERVER_ERROR,
  /** 400, 401, 403: nothing that a retry would help. */
  REFUSAL,
  /** 404 for a pool that exists. */
  NOT_FOUND,
  /** An answer that is no JSON. */
  GARBAGE,
  /** The request never arrives. */
  LOST_REQUEST,
  /** The request is handled, and its answer never arrives. */
  LOST_REPLY,
  /** Requests and answers take up to minutes. */
  SLOW_NETWORK,
  /** Operations take up to minutes. */
  SLOW_OPERATION,
  /** Operations fail or are cancelled. */
  FAILED_OPERATION,
  /** Operations that do not end for long. */
  STUCK_OPERATION,
  /** Polls of operations are refused. */
  FAILED_POLL,
  /** A write is accepted, ends well, and was not made. */
  LOST_WRITE,
  /** ARM does not look at If-Match. */
  IF_MATCH_IGNORED,
  /** The cloud provider writes whole load balancers from an old cache. */
  PEER,
  /** The cloud provider's updater follows changes of slices, each by itself. */
  PEER_UPDATER,
  /** The cloud provider puts Services on a load balancer that the settings do not name. */
  MISPLACED,
  /** A person edits pools in the portal. */
  PORTAL,
  /** Others set admin states, or write entries without them. */
  REVERT,
  /** Patches of Nodes meet conflicts, fail, or their answers are lost. */
  PATCH,
  /** Calls about the shared Lease get no answer. */
  LEASE_CALL,
  /** The cloud provider dies while it holds the shared Lease. */
  LEASE_LEFT,
  /** Somebody takes, clears or deletes the shared Lease while it is ours. */
  LEASE_STOLEN,
  /** The process dies and starts again. */
  CRASH,
  /** The process is asked to end, and starts again. */
  RESTART,
  /** One pool's actor fails. */
  POOL_CRASH,
  /** One actor is slow for a while. */
  SLOW_ACTOR,
  /** The whole process stands still for a while. */
  FREEZE,
  /** The wall clock is set. */
  CLOCK_JUMP,
  /** A watch has no connection for a while, or a dead one. */
  WATCH_GAP,
  /** The process begins on standby, and may lose the leadership or be cut off from its Lease. */
  LEADERSHIP
}
