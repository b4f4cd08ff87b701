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
 * @param wall the clock of times from other machines
 * @param randoms a new generator per call, on any thread
 */
public record Clocks(
    LongSupplier nanos,
    InstantSource monotonic,
    InstantSource wall,
    Supplier<RandomGenerator> randoms) {}
