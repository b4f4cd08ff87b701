package io.poolkeeper.pool;

import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.pool.UpdateQueue.Operation;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * Where a pool stands between two writes. A legal transition is a method on the phase it leaves, so
 * that an illegal one does not compile.
 */
sealed interface Phase {
  /** The phases in which nothing is under way. */
  sealed interface Resting extends Phase {
    default Gathering gather(Instant due) {
      return new Gathering(due);
    }
  }

  /** Nothing to do. */
  record Idle() implements Resting {}

  /** The last attempt failed: the pool differs from its wish until something moves it again. */
  record Failed() implements Resting {}

  /** A change waits for company, or for the interval to pass. */
  record Gathering(Instant due) implements Phase {
    Waiting await(Instant now) {
      return new Waiting(now);
    }

    Resting cancel(boolean inTrouble) {
      return inTrouble ? new Failed() : new Idle();
    }
  }

  /** A turn at the load balancer was asked for. */
  record Waiting(Instant since) implements Phase {
    Reading read(long turn, List<Operation> taken, Instant now) {
      return new Reading(new Attempt(turn, taken, now));
    }

    Resting cancel(boolean inTrouble) {
      return inTrouble ? new Failed() : new Idle();
    }
  }

  /** One GET and at most one PUT under one turn, for the operations it took. */
  record Attempt(long turn, List<Operation> operations, Instant startedAt) {
    public Attempt {
      operations = List.copyOf(operations);
    }
  }

  /** The GET is under way. */
  record Reading(Attempt attempt) implements Phase {
    Writing write(PoolEdit edit, Set<ServiceKey> owners) {
      return new Writing(attempt, edit, owners);
    }

    Idle done() {
      return new Idle();
    }

    Failed failed() {
      return new Failed();
    }
  }

  /**
   * The PUT is under way, up to the end of its operation.
   *
   * @param owners the Services it was planned for: those whose rule the GET showed
   */
  record Writing(Attempt attempt, PoolEdit edit, Set<ServiceKey> owners) implements Phase {
    public Writing {
      owners = Set.copyOf(owners);
    }

    Idle done() {
      return new Idle();
    }

    Failed failed() {
      return new Failed();
    }
  }

  /** The end: nothing is begun any more, and an attempt in flight finishes unheard. */
  record Stopped() implements Phase {}
}
