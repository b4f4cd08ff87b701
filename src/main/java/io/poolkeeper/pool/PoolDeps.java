package io.poolkeeper.pool;

import io.poolkeeper.arm.BackendPools;
import io.poolkeeper.turnstile.TurnstileActor;
import java.time.InstantSource;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * What every pool actor shares.
 *
 * @param clock monotonic
 * @param randoms a generator of its own for each actor
 */
public record PoolDeps(
    BackendPools pools,
    ActorRef<TurnstileActor.Command> turnstile,
    EventRecorder events,
    PoolObserver observer,
    InstantSource clock,
    Supplier<RandomGenerator> randoms,
    PoolLimits limits) {}
