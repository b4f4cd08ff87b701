package io.poolkeeper.node;

import io.poolkeeper.model.OutOfService;
import io.poolkeeper.pool.EventRecorder;
import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * What the node watcher works with.
 *
 * @param broadcast sends all pools who is out of service
 * @param clock monotonic
 */
public record NodeWatcherDeps(
    NodeLimits limits,
    NodePatches patches,
    EventRecorder events,
    NodeObserver observer,
    Consumer<OutOfService> broadcast,
    InstantSource clock,
    RandomGenerator random) {}
