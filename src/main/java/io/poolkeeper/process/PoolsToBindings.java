package io.poolkeeper.process;

import io.poolkeeper.actor.CoreActor.Command;
import io.poolkeeper.actor.CoreActor.Event;
import io.poolkeeper.admission.BindingsEvent;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.pool.PoolEffect;
import io.poolkeeper.pool.PoolObserver;
import io.poolkeeper.pool.PoolStatus;
import org.apache.pekko.actor.typed.ActorRef;

/** Reports the statuses of pools to the bindings, and everything to another observer. */
record PoolsToBindings(PoolObserver reporter, ActorRef<Command<BindingsEvent>> bindings)
    implements PoolObserver {
  @Override
  public void changed(PoolStatus status) {
    reporter.changed(status);
    bindings.tell(new Event<>(new BindingsEvent.PoolShown(status)));
  }

  @Override
  public void forgotten(PoolId pool) {
    reporter.forgotten(pool);
    bindings.tell(new Event<>(new BindingsEvent.PoolForgotten(pool)));
  }

  @Override
  public void ran(PoolId pool, PoolEffect effect) {
    reporter.ran(pool, effect);
  }

  @Override
  public void around(PoolId pool, Runnable decision) {
    reporter.around(pool, decision);
  }
}
