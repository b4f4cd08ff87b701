package io.poolkeeper.process;

import io.poolkeeper.actor.CoreActor.Command;
import io.poolkeeper.actor.CoreActor.Event;
import io.poolkeeper.config.Settings;
import io.poolkeeper.lock.LeaseDemand;
import io.poolkeeper.lock.LeaseStanding;
import io.poolkeeper.lock.LeaseView;
import io.poolkeeper.lock.Leases;
import io.poolkeeper.lock.SharedLockActor;
import io.poolkeeper.lock.SharedLockEffect;
import io.poolkeeper.lock.SharedLockEvent;
import io.poolkeeper.model.ObjectEvent;
import io.poolkeeper.model.ObjectReference;
import io.poolkeeper.ratelimit.LeaseTerms;
import io.poolkeeper.ratelimit.RateLimiterActor;
import io.poolkeeper.ratelimit.RateLimiterEvent;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;

/** Wires the rate limiter, the shared lock and its port, which send each other levels. */
record LockWiring(
    Ports ports,
    ActorRef<Command<RateLimiterEvent>> rateLimiter,
    PermitFence fence,
    Consumer<SharedLockEffect> observer) {
  /** The lock; {@link #connect} comes before it leads. */
  Behavior<Command<SharedLockEvent>> behavior(
      CompletionStage<ActorRef<Command<SharedLockEvent>>> self) {
    Consumer<LeaseView> seen =
        view -> self.thenAccept(lock -> lock.tell(new Event<>(new SharedLockEvent.Seen(view))));
    Leases leases = ports.leases().apply(seen);
    Consumer<LeaseStanding> stands =
        standing -> rateLimiter.tell(new Event<>(new RateLimiterEvent.LeaseStands(standing)));
    return SharedLockActor.create(
        new SharedLockActor.Deps(
            ports.settings().lock().limits(),
            leases,
            observer,
            stands,
            this::unreachable,
            ports.entropy().monotonic(),
            ports.entropy().random()));
  }

  private void unreachable(String error) {
    Settings.Lock lock = ports.settings().lock();
    String bypass =
        lock.drainWait()
            .map(wait -> "; drains go without it after %d s".formatted(wait.toSeconds()))
            .orElse("");
    ports
        .events()
        .record(
            new ObjectEvent(
                ObjectReference.ofLease(lock.namespace(), lock.name()),
                ObjectEvent.Type.WARNING,
                "SharedLeaseUnreachable",
                "The Lease that is shared with the cloud provider can be neither read nor written%s: %s"
                    .formatted(bypass, error)));
  }

  /** From now on the rate limiter grants nothing without the Lease. */
  void connect(ActorRef<Command<SharedLockEvent>> lock) {
    Settings.Lock settings = ports.settings().lock();
    Consumer<LeaseDemand> demand =
        next -> lock.tell(new Event<>(new SharedLockEvent.Demanded(next)));
    LeaseTerms terms =
        new LeaseTerms(
            settings.drainWait(), settings.unreachableAfter(), settings.limits().maxTail());
    rateLimiter.tell(new RateLimiterActor.NeedLease(terms, demand, fence::writesUntil));
  }
}
