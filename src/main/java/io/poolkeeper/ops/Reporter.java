package io.poolkeeper.ops;

import io.poolkeeper.model.PoolId;
import io.poolkeeper.pool.Outcome;
import io.poolkeeper.pool.PoolObserver;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.service.ServiceMapObserver;
import java.time.Duration;
import org.apache.pekko.actor.typed.ActorRef;

/** Passes on what the actors report: to the status and to the metrics. */
public record Reporter(ActorRef<StatusActor.Command> status, Metrics metrics)
    implements PoolObserver, ServiceMapObserver {
  @Override
  public void changed(PoolStatus pool) {
    status.tell(new StatusActor.PoolChanged(pool));
  }

  @Override
  public void finished(PoolId pool, Outcome outcome, Duration took) {
    metrics.poolFinished(outcome, took);
  }

  @Override
  public void forgotten(PoolId pool) {
    status.tell(new StatusActor.PoolForgotten(pool));
  }

  @Override
  public void changed(Knowledge knowledge) {
    status.tell(new StatusActor.KnowledgeChanged(knowledge));
  }
}
