package io.poolkeeper.admission;

import io.poolkeeper.core.Core;
import io.poolkeeper.core.Decision;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The policy of the bindings (spec 5): what the map of Services hears of them, and what is written
 * to them.
 *
 * <p>Invariants: nothing is bound before all bindings and the cluster's mark are known and this
 * replica leads, nor before a binding waits for its finalizer when it is deleted; a finalizer stays
 * until no entry of the mark is in the pool, or the pool is out of reach for long; one write of a
 * binding at a time, of the version that it was decided from, and none while all is paused; an
 * event of one binding or pool touches no other, unless by it another one owns a pool, or begins to
 * wait for its finalizer.
 *
 * @param lateWrites how long a write of the leader before may still arrive
 */
public record BindingsCore(Resolution resolution, AdmissionChecks checks, Duration lateWrites)
    implements Core<BindingsState, BindingsEvent, BindingsEffect> {
  @Override
  public Decision<BindingsState, BindingsEffect> decide(
      BindingsState state, BindingsEvent event, Instant now, RandomGenerator random) {
    if (state.stopped()) {
      return Decision.of(state);
    }
    BindingsStep step = new BindingsStep(this, state, now, random);
    switch (event) {
      case BindingsEvent.Changed changed -> changed.changes().forEach(step::changed);
      case BindingsEvent.Synced synced -> step.watched(true);
      case BindingsEvent.WatchLost lost -> step.watched(false);
      case BindingsEvent.Paused paused -> step.paused(paused.paused());
      case BindingsEvent.Lead lead -> step.lead();
      case BindingsEvent.MarkRead read -> step.marked(read.mark());
      case BindingsEvent.Listed listed -> step.listed(listed);
      case BindingsEvent.PoolShown shown -> step.shown(shown.status());
      case BindingsEvent.PoolForgotten forgotten -> step.forgotten(forgotten.pool());
      case BindingsEvent.Written written -> step.written(written);
      case BindingsEvent.TimerDue due -> step.timerDue();
      case BindingsEvent.Stop stop -> step.stop();
    }
    return step.decision();
  }

  @Override
  public Optional<Instant> wakeAt(BindingsState state) {
    return state.wakeAt();
  }
}
