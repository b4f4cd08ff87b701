package io.poolkeeper.process;

import io.poolkeeper.actor.CoreActor;
import io.poolkeeper.admission.BindingsEvent;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.RetryReason;
import io.poolkeeper.pool.Leftover;
import io.poolkeeper.pool.Outcome;
import io.poolkeeper.pool.PoolObserver;
import io.poolkeeper.pool.PoolStatus;
import java.time.Duration;
import org.apache.pekko.actor.typed.ActorRef;

/** Reports the statuses of pools to the bindings, and everything to another observer. */
record PoolsToBindings(PoolObserver other, ActorRef<CoreActor.Command<BindingsEvent>> bindings)
    implements PoolObserver {
  @Override
  public void changed(PoolStatus status) {
    other.changed(status);
    bindings.tell(new CoreActor.Event<>(new BindingsEvent.PoolShown(status)));
  }

  @Override
  public void forgotten(PoolId pool) {
    other.forgotten(pool);
    bindings.tell(new CoreActor.Event<>(new BindingsEvent.PoolForgotten(pool)));
  }

  @Override
  public void finished(PoolId pool, Outcome outcome, Duration took) {
    other.finished(pool, outcome, took);
  }

  @Override
  public void adminStatesSet(PoolId pool, Outcome outcome, Duration took) {
    other.adminStatesSet(pool, outcome, took);
  }

  @Override
  public void retrying(PoolId pool, RetryReason reason) {
    other.retrying(pool, reason);
  }

  @Override
  public void found(PoolId pool, Leftover.Kind kind, int entries) {
    other.found(pool, kind, entries);
  }

  @Override
  public void postponed(PoolId pool) {
    other.postponed(pool);
  }

  @Override
  public void removalHeld(PoolId pool) {
    other.removalHeld(pool);
  }
}
