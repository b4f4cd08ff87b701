package io.poolkeeper.arm.azure;

import java.time.InstantSource;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The clocks and the randomness of the adapter.
 *
 * @param nanos monotonic nanoseconds, for measuring
 * @param monotonic the clock of deadlines
 * @param wall the clock of times from other machines
 * @param randoms a new generator per call, on any thread
 */
public record Clocks(
    LongSupplier nanos,
    InstantSource monotonic,
    InstantSource wall,
    Supplier<RandomGenerator> randoms) {}
