package io.poolkeeper.ops;

import io.poolkeeper.admission.BindingsObserver;
import io.poolkeeper.admission.BindingsState;
import io.poolkeeper.arm.ArmObserver;
import io.poolkeeper.arm.CallsLeft;
import io.poolkeeper.lock.LockObserver;
import io.poolkeeper.lock.PauseView;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.Gate;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.RetryReason;
import io.poolkeeper.node.NodeObserver;
import io.poolkeeper.node.NodesView;
import io.poolkeeper.pool.Leftover;
import io.poolkeeper.pool.Outcome;
import io.poolkeeper.pool.PoolObserver;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.service.ListingCause;
import io.poolkeeper.service.ServiceMapObserver;
import io.poolkeeper.shadow.Proof;
import io.poolkeeper.turnstile.Lane;
import io.poolkeeper.turnstile.LookResult;
import io.poolkeeper.turnstile.TurnstileObserver;
import io.poolkeeper.turnstile.TurnstileView;
import java.time.Duration;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;

/** Forwards the reports of the actors and of the adapter to the status and the metrics. */
public record Reporter(ActorRef<StatusActor.Command> status, Metrics metrics)
    implements PoolObserver,
        ServiceMapObserver,
        TurnstileObserver,
        NodeObserver,
        LockObserver,
        BindingsObserver,
        ArmObserver {
  @Override
  public void changed(PoolStatus pool) {
    status.tell(new StatusActor.PoolChanged(pool));
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

  @Override
  public void finished(PoolId pool, Outcome outcome, Duration took) {
    metrics.count(Metric.POOL_UPDATES, outcome);
    metrics.time(Metric.POOL_UPDATE_DURATION, took);
    if (outcome == Outcome.UPDATED) {
      status.tell(new StatusActor.Reached(pool, took));
    }
  }

  @Override
  public void adminStatesSet(PoolId pool, Outcome outcome, Duration took) {
    metrics.adminStatesSet(pool.loadBalancer(), outcome, took);
  }

  @Override
  public void retrying(PoolId pool, RetryReason reason) {
    metrics.count(Metric.RETRIES, reason);
  }

  public void paused(PauseView view) {
    status.tell(new StatusActor.PauseChanged(view));
  }

  /** Shadow mode has decided on an object that is no pool. */
  public void wouldWrite(Proof.Kind kind) {
    status.tell(new StatusActor.WouldWrite(kind));
  }

  @Override
  public void found(PoolId pool, Leftover.Kind kind, int entries) {
    metrics.count(entries, Metric.LEFTOVERS_FOUND, kind);
  }

  @Override
  public void postponed(PoolId pool) {
    metrics.count(Metric.REPAIRS_POSTPONED);
  }

  @Override
  public void removalHeld(PoolId pool) {
    metrics.count(Metric.REMOVALS_HELD);
  }

  @Override
  public void forgotten(PoolId pool) {
    status.tell(new StatusActor.PoolForgotten(pool));
  }

  @Override
  public void changed(Knowledge knowledge) {
    status.tell(new StatusActor.KnowledgeChanged(knowledge));
  }

  @Override
  public void listing(ListingCause cause) {
    metrics.count(Metric.LISTINGS, cause);
    status.tell(StatusActor.ListingBegun.INSTANCE);
  }

  @Override
  public void listed(Optional<ArmFailure> failure) {
    if (failure.isPresent()) {
      metrics.count(Metric.LISTING_FAILURES);
    } else {
      metrics.happened(Metric.LAST_LISTING);
    }
  }

  @Override
  public void closed(Gate gate) {
    metrics.gateClosed(gate);
  }

  @Override
  public void changed(NodesView nodes) {
    status.tell(new StatusActor.NodesChanged(nodes));
  }

  @Override
  public void eventIgnored() {
    metrics.count(Metric.PREEMPT_EVENTS_IGNORED);
  }

  @Override
  public void held(int nodes) {
    metrics.count(nodes, Metric.ADMIN_STATE_HELD);
  }

  @Override
  public void propagated(Duration took) {
    metrics.time(Metric.ADMIN_STATE_PROPAGATION, took);
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
  public void changed(TurnstileView view) {
    status.tell(new StatusActor.TurnstileChanged(view));
  }

  @Override
  public void granted(Lane lane, Duration waited, Duration limited) {
    metrics.turnGranted(lane, waited, limited);
  }

  @Override
  public void looked(LookResult result) {
    metrics.count(Metric.SETTLING_LOOKS, result);
  }

  @Override
  public void retryHeldBack() {
    metrics.count(Metric.RETRY_BUDGET_EXHAUSTED);
  }

  @Override
  public void leaseBypassed() {
    metrics.count(Metric.LOCK_BYPASSED);
  }

  @Override
  public void taken(Duration waited, boolean drain) {
    metrics.leaseTaken(waited, drain);
  }
}
