package io.poolkeeper.arm.azure;

import java.time.InstantSource;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The clocks of the adapter, and its chance.
 *
 * @param nanos monotonic nanoseconds, for measuring
 * @param monotonic what deadlines are counted on
 * @param wall what other machines send times of
 * @param randoms a generator of its own for whoever asks, on any thread
 */
public record Clocks(
    LongSupplier nanos,
    InstantSource monotonic,
    InstantSource wall,
    Supplier<RandomGenerator> randoms) {}
