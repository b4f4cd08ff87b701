package io.poolkeeper.ops;

import io.poolkeeper.admission.BindingsObserver;
import io.poolkeeper.admission.BindingsState;
import io.poolkeeper.arm.ArmObserver;
import io.poolkeeper.arm.CallsLeft;
import io.poolkeeper.lock.PauseView;
import io.poolkeeper.lock.SharedLockEffect;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.node.NodeEffect;
import io.poolkeeper.node.NodeObserver;
import io.poolkeeper.node.NodesView;
import io.poolkeeper.ops.Metrics.Outcome;
import io.poolkeeper.pool.PoolEffect;
import io.poolkeeper.pool.PoolObserver;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.ratelimit.RateLimiterEffect;
import io.poolkeeper.ratelimit.RateLimiterObserver;
import io.poolkeeper.ratelimit.RateLimiterView;
import io.poolkeeper.ratelimit.VerificationResult;
import io.poolkeeper.service.ServiceMapEffect;
import io.poolkeeper.service.ServiceMapObserver;
import io.poolkeeper.shadow.ShadowComparison;
import io.poolkeeper.trace.Tracing;
import java.time.Duration;
import org.apache.pekko.actor.typed.ActorRef;

/** Forwards the reports of the actors and of the adapter to status, metrics and traces. */
public record Reporter(ActorRef<StatusActor.Command> status, Metrics metrics, Tracing tracing)
    implements PoolObserver,
        ServiceMapObserver,
        RateLimiterObserver,
        NodeObserver,
        BindingsObserver,
        ArmObserver {
  @Override
  public void changed(PoolStatus pool) {
    tracing.changed(pool);
    status.tell(new StatusActor.PoolChanged(pool, tracing.id(pool.id())));
  }

  @Override
  public void answered(String call, int status, Duration took) {
    metrics.armAnswered(call, status, took);
  }

  @Override
  public void accepted(LoadBalancerId loadBalancer) {
    status.tell(new StatusActor.Accepted(loadBalancer));
  }

  @Override
  public void signedIn(boolean given) {
    if (given) {
      metrics.happened(Metric.LAST_TOKEN);
    } else {
      metrics.count(Metric.TOKEN_FAILURES);
    }
  }

  @Override
  public void left(CallsLeft calls) {
    metrics.left(calls);
  }

  public void paused(PauseView view) {
    status.tell(new StatusActor.PauseChanged(view));
  }

  /** Shadow mode has decided on an object that is no pool. */
  public void wouldWrite(ShadowComparison.Kind kind) {
    status.tell(new StatusActor.WouldWrite(kind));
  }

  @Override
  public void forgotten(PoolId pool) {
    tracing.forgotten(pool);
    status.tell(new StatusActor.PoolForgotten(pool));
  }

  @Override
  public void around(PoolId pool, Runnable decision) {
    tracing.around(pool, decision);
  }

  @Override
  public void requested(PoolId pool, RateLimiterView view) {
    tracing.requested(pool, view);
  }

  @Override
  public void changed(Knowledge knowledge) {
    status.tell(new StatusActor.KnowledgeChanged(knowledge));
  }

  @Override
  public void ran(ServiceMapEffect effect) {
    if (effect instanceof ServiceMapEffect.RequestListing request) {
      metrics.count(Metric.LISTINGS, request.cause());
    }
  }

  @Override
  public void listed(int failed, boolean complete) {
    metrics.count(failed, Metric.LISTING_FAILURES);
    if (complete) {
      metrics.happened(Metric.LAST_LISTING);
      status.tell(StatusActor.Listed.INSTANCE);
    }
  }

  @Override
  public void changed(NodesView nodes) {
    status.tell(new StatusActor.NodesChanged(nodes));
  }

  @Override
  public void changed(BindingsState bindings) {
    status.tell(new StatusActor.BindingsChanged(bindings));
  }

  @Override
  public void reset() {
    metrics.count(Metric.ADMISSION_RESETS);
  }

  @Override
  public void changed(RateLimiterView view) {
    status.tell(new StatusActor.RateLimiterChanged(view));
  }

  @Override
  public void verified(VerificationResult result) {
    metrics.count(Metric.SETTLING_LOOKS, result);
  }

  @Override
  public void ran(PoolId pool, PoolEffect effect) {
    tracing.ran(pool, effect);
    switch (effect) {
      case PoolEffect.Updated updated -> {
        finished(pool, Outcome.UPDATED, updated.took());
        status.tell(new StatusActor.Reached(pool, updated.took()));
      }
      case PoolEffect.Failed failed -> finished(pool, Outcome.FAILED, failed.took());
      case PoolEffect.Drained drained -> drainEnded(pool, Outcome.UPDATED, drained.took());
      case PoolEffect.DrainFailed failed -> drainEnded(pool, Outcome.FAILED, failed.took());
      case PoolEffect.Throttled throttled ->
          metrics.throttled(pool.loadBalancer(), throttled.drain(), throttled.sent());
      case PoolEffect.Retry retry -> metrics.count(Metric.RETRIES, retry.reason());
      case PoolEffect.Found found ->
          metrics.count(found.entries(), Metric.LEFTOVERS_FOUND, found.kind());
      case PoolEffect.RepairPostponed postponed -> metrics.count(Metric.REPAIRS_POSTPONED);
      case PoolEffect.Braked braked -> metrics.count(Metric.REMOVALS_HELD);
      default -> {}
    }
  }

  private void drainEnded(PoolId pool, Outcome outcome, Duration took) {
    metrics.operation(pool.loadBalancer(), true, outcome, took);
  }

  private void finished(PoolId pool, Outcome outcome, Duration took) {
    metrics.operation(pool.loadBalancer(), false, outcome, took);
    metrics.count(Metric.POOL_UPDATES, outcome);
    metrics.time(Metric.POOL_UPDATE_DURATION, took);
  }

  @Override
  public void ran(NodeEffect effect) {
    tracing.ran(effect);
    switch (effect) {
      case NodeEffect.EventIgnored ignored ->
          metrics.count(Metric.PREEMPT_EVENTS_IGNORED, ignored.why());
      case NodeEffect.Held held -> metrics.count(held.nodes().size(), Metric.ADMIN_STATE_HELD);
      case NodeEffect.Propagated propagated ->
          metrics.time(Metric.ADMIN_STATE_PROPAGATION, propagated.took());
      default -> {}
    }
  }

  @Override
  public void ran(RateLimiterEffect effect) {
    switch (effect) {
      case RateLimiterEffect.Grant grant -> {
        metrics.permitGranted(grant.level(), grant.waited(), grant.limited());
        if (grant.rateLimited()) {
          LoadBalancerId at = grant.requester().pool().loadBalancer();
          metrics.throttled(at, grant.level().drains(), false);
        }
      }
      case RateLimiterEffect.RetryHeldBack held -> metrics.count(Metric.RETRY_BUDGET_EXHAUSTED);
      case RateLimiterEffect.LeaseBypassed bypassed -> metrics.count(Metric.LOCK_BYPASSED);
      case RateLimiterEffect.GateClosed closed -> metrics.gateClosed(closed.gate());
      default -> {}
    }
  }

  /** The shared lock runs an effect. */
  public void ran(SharedLockEffect effect) {
    if (effect instanceof SharedLockEffect.Taken taken) {
      metrics.leaseTaken(taken.waited(), taken.drain());
    }
  }
}
