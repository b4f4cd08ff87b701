package io.poolkeeper.arm.azure;

import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * The clocks of the adapter.
 *
 * @param nanos monotonic nanoseconds, for measuring
 * @param monotonic what deadlines are counted on
 * @param wall what other machines send times of
 */
public record Clocks(LongSupplier nanos, InstantSource monotonic, InstantSource wall) {}
