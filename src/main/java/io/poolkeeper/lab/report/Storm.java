package io.poolkeeper.lab.report;

/**
 * The cost of {@code restart-storm}.
 *
 * @param pools that were wrong at the start
 * @param writes sent for them, refused ones included
 * @param amplification writes per pool
 * @param slowestMillis from the first call to ARM until the last pool was correct
 */
public record Storm(int pools, int writes, double amplification, long slowestMillis) {}
