package io.poolkeeper.pool;

import io.poolkeeper.arm.BackendPools;
import io.poolkeeper.turnstile.TurnstileActor;
import java.time.InstantSource;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * What every pool actor shares.
 *
 * @param clock monotonic
 */
public record PoolDeps(
    BackendPools pools,
    ActorRef<TurnstileActor.Command> turnstile,
    EventRecorder events,
    PoolObserver observer,
    InstantSource clock,
    PoolLimits limits) {}
