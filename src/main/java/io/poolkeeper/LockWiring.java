package io.poolkeeper;

import io.poolkeeper.config.Settings;
import io.poolkeeper.lock.LeaseDemand;
import io.poolkeeper.lock.LeaseStanding;
import io.poolkeeper.lock.LeaseView;
import io.poolkeeper.lock.Leases;
import io.poolkeeper.lock.LockObserver;
import io.poolkeeper.lock.SharedLockActor;
import io.poolkeeper.lock.SharedLockEvent;
import io.poolkeeper.turnstile.TurnstileActor;
import io.poolkeeper.turnstile.TurnstileEvent;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;

/** Wires the turnstile, the shared lock and its port: each hears of levels of the others. */
record LockWiring(Ports ports, ActorRef<TurnstileActor.Command> turnstile, LockObserver observer) {
  /** The lock; {@link #connect} comes before it leads. */
  Behavior<SharedLockEvent> behavior(CompletionStage<ActorRef<SharedLockEvent>> self) {
    Consumer<LeaseView> seen =
        view -> self.thenAccept(lock -> lock.tell(new SharedLockEvent.Seen(view)));
    Leases leases = ports.leases().apply(seen);
    Consumer<LeaseStanding> stands =
        standing ->
            turnstile.tell(new TurnstileActor.Event(new TurnstileEvent.LeaseStands(standing)));
    return SharedLockActor.create(
        LimitsOf.lock(ports.settings().lock()),
        leases,
        observer,
        stands,
        ports.entropy().monotonic(),
        ports.entropy().random());
  }

  /** The turnstile grants nothing without the Lease from now on. */
  void connect(ActorRef<SharedLockEvent> lock) {
    Settings.Lock settings = ports.settings().lock();
    Consumer<LeaseDemand> demand = next -> lock.tell(new SharedLockEvent.Demanded(next));
    turnstile.tell(new TurnstileActor.NeedLease(settings.drainWait(), demand));
  }
}
