package io.poolkeeper.pool;

import io.poolkeeper.arm.PoolDocument;
import io.poolkeeper.model.AdminState;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.ObjectEvent;
import io.poolkeeper.model.PermitResult;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.RetryReason;
import io.poolkeeper.ratelimit.Priority;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** What a pool asks its actor to do. The timer is no effect: it follows from the state. */
public sealed interface PoolEffect {
  /** Request a permit at the load balancer, or change the priority of the request. */
  record RequestPermit(Priority priority) implements PoolEffect {}

  record CancelRequest() implements PoolEffect {}

  record ReturnPermit(long permit, PermitResult result) implements PoolEffect {}

  /** GET the pool; the deadline is the end of the permit. */
  record Read(Instant deadline) implements PoolEffect {}

  /** PUT what the attempt has read with this edit; the deadline is the end of the permit. */
  record Write(PoolDocument read, PoolEdit edit, Instant deadline) implements PoolEffect {}

  record Emit(ObjectEvent event) implements PoolEffect {}

  /** Log and count how an attempt ended. */
  sealed interface Finish extends PoolEffect {}

  record Updated(Duration took) implements Finish {}

  /** Log and count a failed attempt; {@code news} if the attempt before ended in another way. */
  record Failed(ArmFailure failure, Duration took, boolean news) implements Finish {}

  /** Log and count that admin states were written, by the names of entries. */
  record Drained(Map<String, AdminState> states, Duration took) implements PoolEffect {}

  /** Log and count that admin states were not written; {@code news} as in {@link Failed}. */
  record DrainFailed(ArmFailure failure, Duration took, boolean news) implements PoolEffect {}

  /**
   * Count that an attempt failed by a 429: of admin states, or of members.
   *
   * @param sent whether ARM answered 429; if not, the call was not sent as a gate was closed
   */
  record Throttled(boolean drain, boolean sent) implements PoolEffect {
    /** What is counted of a failed attempt for members; empty if no 429 ended it. */
    static List<PoolEffect> ofMembers(ArmFailure failure) {
      boolean counts = failure.refused() || failure.held();
      return counts ? List.of(new Throttled(false, failure.refused())) : List.of();
    }

    static List<PoolEffect> ofDrain(ArmFailure failure) {
      boolean counts = failure.refused() || failure.held();
      return counts ? List.of(new Throttled(true, failure.refused())) : List.of();
    }
  }

  /** Log that a repair failed, at a lower level if it is no news. It is not counted. */
  record RepairFailed(ArmFailure failure, Duration took, boolean news) implements PoolEffect {}

  /**
   * Log and count that a repair waits because others undo it again and again.
   *
   * @param drifts how often the most damaged address was undone within the last hour
   * @param news whether a fight has just begun
   */
  record RepairPostponed(int drifts, Duration delay, boolean news) implements PoolEffect {}

  /** Log that the delay of repairs has reached its maximum. */
  record RepairsSlowest(int failures) implements PoolEffect {}

  /** Count a retry or repair when it begins. */
  record Retry(RetryReason reason) implements PoolEffect {}

  /** Log once why the pool is left alone. */
  record LeaveAlone(String why) implements PoolEffect {}

  /** Log that an attempt failed and so many changes of it wait to be tried again. */
  record Requeue(ArmFailure failure, int operations, Duration took, boolean news)
      implements PoolEffect {}

  /** Count leftovers of one kind, log the text, and record the events. */
  record Found(Leftover.Kind kind, int entries, String text, List<ObjectEvent> events)
      implements PoolEffect {
    public Found {
      events = List.copyOf(events);
    }
  }

  /** Log and count that the brake holds a removal, and record the events. */
  record Braked(String text, List<ObjectEvent> events) implements PoolEffect {
    public Braked {
      events = List.copyOf(events);
    }
  }

  /** Log what is newly decided in shadow mode, and not written. */
  record Shadowed(PoolEdit edit) implements PoolEffect {}

  record Report(PoolReport report) implements PoolEffect {}

  /** Report to the node watcher how far the nodes that are out of service are followed. */
  record Followed(AdminReport report) implements PoolEffect {}
}
