package io.poolkeeper.pool;

import io.poolkeeper.arm.PoolDocument;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.OutOfService;
import io.poolkeeper.model.Pause;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.ratelimit.PermitAnswer;
import java.time.Instant;
import java.util.Optional;

/** What can happen to a pool; the messages of its actor. */
public sealed interface PoolEvent {
  /**
   * A Service that owns the pool wants this level; repeats are harmless.
   *
   * @param fresh whether the level may have changed as the leader started: then no wrong entry is a
   *     leftover
   */
  record Desire(Ownership ownership, boolean fresh) implements PoolEvent {}

  /** The pool's binding, if it has one. It comes before the binding's Service. */
  record Bind(Optional<BoundPool> bound) implements PoolEvent {}

  /** What is paused from now on; empty if nothing is. */
  record Paused(Optional<Pause> pause) implements PoolEvent {}

  /** The Service does not own the pool any more. */
  record Release(ServiceKey service) implements PoolEvent {}

  /** A listing or a GET showed the pool; it was asked for at {@code startedAt}. */
  record Observed(PoolView view, Instant startedAt) implements PoolEvent {}

  /**
   * The nodes that are out of service now.
   *
   * @param at since when that is known; a listing that began later shows what has come of it
   */
  record NodesOutOfService(OutOfService set, Instant at) implements PoolEvent {}

  /** Another failing pool recovered: ARM may accept this pool's writes again, too. */
  record OtherRecovered() implements PoolEvent {}

  /**
   * The first watch of the cluster is lost: what is known may be old.
   *
   * @param firstUnseen ownerships with smaller numbers existed before the loss
   */
  record WatchLost(long firstUnseen) implements PoolEvent {}

  /** All watches are live again, and the cluster's current state was sent. */
  record WatchesLive() implements PoolEvent {}

  record TimerDue() implements PoolEvent {}

  record PermitAnswered(PermitAnswer answer) implements PoolEvent {}

  record ReadDone(PoolDocument document) implements PoolEvent {
    PoolView view() {
      return document.view();
    }
  }

  /** The PUT of the attempt and its operation succeeded. */
  record WriteDone() implements PoolEvent {}

  /** The GET or the PUT of the attempt failed. */
  record AttemptFailed(ArmFailure failure) implements PoolEvent {}

  /**
   * The pool is unowned now, or the process stops: finish the attempt in flight without a report.
   */
  record Stop() implements PoolEvent {}
}
