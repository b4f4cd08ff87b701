package io.poolkeeper.admission;

import io.poolkeeper.model.PoolId;
import io.poolkeeper.pool.BoundPool;
import io.poolkeeper.pool.EventRecorder;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.random.RandomGenerator;

/**
 * What the bindings' actor works with.
 *
 * @param leads whether this replica leads from the start
 * @param bind sends the map of Services what a binding makes of a pool; empty if nothing
 * @param clock monotonic
 */
public record BindingsDeps(
    BindingsCore core,
    boolean leads,
    BindingWrites writes,
    BiConsumer<PoolId, Optional<BoundPool>> bind,
    EventRecorder events,
    BindingsObserver observer,
    InstantSource clock,
    RandomGenerator random) {}
