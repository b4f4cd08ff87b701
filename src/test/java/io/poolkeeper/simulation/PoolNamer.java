package io.poolkeeper.simulation;

import io.poolkeeper.arm.BackendPools;
import io.poolkeeper.arm.PoolDocument;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.RetryReason;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.pool.Assignment;
import io.poolkeeper.pool.Level;
import io.poolkeeper.pool.Outcome;
import io.poolkeeper.pool.PoolDeps;
import io.poolkeeper.pool.PoolEvent;
import io.poolkeeper.pool.PoolLimits;
import io.poolkeeper.pool.PoolObserver;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.turnstile.TurnstileActor;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * Finds out which pool an actor is of, as its name does not say: it tells it a level of which
 * nothing is known, and listens for whose status changes.
 */
final class PoolNamer implements PoolObserver, BackendPools {
  private Optional<PoolId> changed = Optional.empty();

  PoolDeps deps(
      ActorRef<TurnstileActor.Command> turnstile, InstantSource clock, PoolLimits limits) {
    return new PoolDeps(
        this, turnstile, event -> {}, this, clock, () -> new SplittableRandom(0), limits);
  }

  PoolId of(BehaviorTestKit<PoolEvent> actor) {
    changed = Optional.empty();
    Assignment nobody = new Assignment(new ServiceKey("nobody", "knows"), "uid", 1, "a");
    actor.run(new PoolEvent.Desire(nobody, new Level.Unknown()));
    return changed.orElseThrow();
  }

  @Override
  public void changed(PoolStatus status) {
    changed = Optional.of(status.id());
  }

  @Override
  public void finished(PoolId pool, Outcome outcome, Duration took) {}

  @Override
  public void retrying(PoolId pool, RetryReason reason) {}

  @Override
  public void forgotten(PoolId pool) {}

  @Override
  public CompletionStage<PoolDocument> get(PoolId pool) {
    throw new AssertionError("nobody has a turn to read " + pool);
  }

  @Override
  public CompletionStage<Void> put(PoolDocument document, PoolEdit edit) {
    throw new AssertionError("nobody has a turn to write " + edit);
  }
}
