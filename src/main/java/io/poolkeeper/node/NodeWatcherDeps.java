package io.poolkeeper.node;

import io.poolkeeper.arm.NetworkInterfaces;
import io.poolkeeper.model.OutOfService;
import io.poolkeeper.pool.EventRecorder;
import io.poolkeeper.turnstile.TurnstileActor;
import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * What the node watcher works with.
 *
 * @param leads whether this replica leads from the start
 * @param turnstile admits calls to network interfaces
 * @param broadcast sends all pools who is out of service
 * @param clock monotonic
 */
public record NodeWatcherDeps(
    boolean leads,
    NodeLimits limits,
    NodePatches patches,
    NetworkInterfaces interfaces,
    ActorRef<TurnstileActor.Command> turnstile,
    EventRecorder events,
    NodeObserver observer,
    Consumer<OutOfService> broadcast,
    InstantSource clock,
    RandomGenerator random) {}
