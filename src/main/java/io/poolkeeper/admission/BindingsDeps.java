package io.poolkeeper.admission;

import io.poolkeeper.service.Bindings;
import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * What the bindings' actor works with.
 *
 * @param leads whether this replica leads from the start
 * @param bind sends the map of Services what is bound
 * @param lead sends it that this replica leads
 * @param clock monotonic
 */
public record BindingsDeps(
    BindingsCore core,
    boolean leads,
    BindingWrites writes,
    Consumer<Bindings> bind,
    Runnable lead,
    BindingsObserver observer,
    InstantSource clock,
    RandomGenerator random) {}
