package io.poolkeeper.simulation;

/**
 * What a run may meet that is worth testing for. Over many runs each must have been met, or the
 * simulator does not try what it claims to.
 */
public enum RunMark {
  /** A retry waited for the retry budget alone. */
  BUDGET_EMPTY("retryBudgetEmpty"),
  /** A call that repeated itself met the etag of its own first try, and that one still ran. */
  REFUSED_412_AFTER_SUCCESS("preconditionFailedAfterSuccess"),
  /** A write of the controller's was cancelled by a later one, its own or somebody else's. */
  WRITE_SUPERSEDED("writeSuperseded"),
  /** ARM asked to wait while another write was under way. */
  GATE_CLOSED_WHILE_WRITING("gateClosedWhileWriting"),
  /** A Service left the pool during an attempt. */
  SERVICE_MOVED_WHILE_WRITING("serviceMovedWhileWriting"),
  /** The process died after a write was accepted and before it heard of that. */
  CRASH_BETWEEN_ACCEPT_AND_REPLY("crashBetweenAcceptAndReply"),
  NODE_REPLACED_UNDER_ITS_NAME("nodeReplacedUnderTheSameName"),
  /** A pool held as many operations of a Service as it may. */
  QUEUE_BOUND_REACHED("queueBoundReached"),
  CLOCK_JUMPED("clockJumped"),
  WATCH_LOST("watchLost"),
  WATCH_HALF_OPEN("watchHalfOpen"),
  /** A watch was gone for so long that the process must have known. */
  WATCH_LOSS_NOTICED("watchLossNoticed"),
  /** The first sentence has said that all is well, and so it was. */
  ALL_WELL("allWell"),
  /** A Service was on a load balancer that the settings do not name, and had to be shown. */
  SERVICE_WITHOUT_POOL("serviceWithoutPool"),
  /** A resource group could not be read for so long that it had to be shown. */
  GROUP_UNREAD("groupUnread"),
  /** A permit was not given back in time. */
  PERMIT_LOST("turnLost"),
  /** A load balancer was left with a write whose end nobody knows. */
  SETTLING("settling"),
  RETRIES_EXHAUSTED("retriesExhausted"),
  NODE_LEFT("nodeOutOfService"),
  /** A taint that means leaving by the settings alone is the only one of a node. */
  LEFT_BY_EXTRA_TAINT("outOfServiceByAnExtraTaint"),
  NODE_RETURNED("nodeInServiceAgain"),
  REPLACED_WHILE_LEAVING("nodeReplacedWhileOutOfService"),
  NODE_LEFT_ALONE("nodeOptedOut"),
  /** A node was tainted because of a preemption. */
  NODE_TAINTED("nodeTaintedForAPreemption"),
  /** An operator has cleared the taint of a preemption that may be announced again. */
  TAINT_CLEARED("preemptionCleared"),
  /** A Node had changed between the reading and the patch, or so it was said. */
  PATCH_CONFLICT("patchConflict"),
  /** Somebody else has made an admin state wrong. */
  STATE_REVERTED("adminStateReverted"),
  /** A node came back into service while the watch of nodes was lost. */
  RETURNED_UNSEEN("nodeInServiceAgainUnseen"),
  /** The controller has reported state that should not exist. */
  LEFTOVER_FOUND("leftoverFound"),
  /** The cloud provider has written a pool, and it was right before. */
  PEER_DAMAGED("damagedByTheCloudProvider"),
  /** The cloud provider found the shared Lease held, and failed. */
  LEASE_REFUSED("leaseRefusedToTheCloudProvider"),
  /** The cloud provider died while it held the shared Lease. */
  LEASE_LEFT("leaseLeftBehind"),
  /** Another client took the shared Lease from us. */
  LEASE_STOLEN("leaseStolen"),
  /** For some time calls about the shared Lease were refused, or had no answer. */
  LEASE_UNREACHABLE("leaseUnreachable"),
  /** A drain went without the shared Lease. */
  LEASE_BYPASSED("leaseBypassed"),
  /** ARM said that a write was made, and it was not. */
  WRITE_LOST("writeLost"),
  /** A write of a process that was replaced arrived late, and its etag was old. */
  LATE_WRITE_REFUSED("writeOfAFormerLeaderRefused"),
  /** A write of a process that was replaced arrived late, and was made. */
  LATE_WRITE_MADE("writeOfAFormerLeaderMade"),
  /** A process stood still for so long that its leadership was over when it went on. */
  LEADERSHIP_EXPIRED("leadershipExpiredUnseen"),
  LEADERSHIP_LOST("leadershipLost"),
  /** A write of a binding was of an old version. */
  BINDING_CONFLICT("bindingConflict"),
  /** A write of a binding arrived when another process led, and was made. */
  LATE_BINDING_MADE("bindingWriteOfAFormerLeaderMade"),
  BINDING_DELETED("bindingDeleted"),
  /** The finalizer went although entries were left, as the pool was out of reach for so long. */
  DELETION_GIVEN_UP("bindingDeletionGivenUp"),
  /** A binding was deleted, and cleaned up without its Service. */
  CLEANED_WITHOUT_SERVICE("bindingCleanedUpWithoutItsService"),
  BINDINGS_FLOODED("bindingsFlooded"),
  STATUS_FORGED("bindingStatusForged"),
  /** The load balancer of bindings was deleted, or its group. */
  BOUND_POOL_VANISHED("boundPoolVanished"),
  RIGHTS_LOST("rightsLost"),
  BINDING_SWITCHED("bindingSwitchedOffOrOn"),
  /** A check did not answer for long. */
  CHECK_SILENT("checkSilent"),
  CHECK_ANSWERED_TWICE("checkAnsweredTwice"),
  /** A checker's answer was of an old version. */
  CHECK_REFUSED("checkOfAnOldVersionRefused"),
  /** A drain, or what a deleted binding has added, went although the pool was held. */
  WRITTEN_BESIDE_A_HOLD("poolWrittenThoughHeld");

  private final String title;

  RunMark(String title) {
    this.title = title;
  }

  /** Its name in reports. */
  public String title() {
    return title;
  }
}
