package io.poolkeeper.lab.report;

/**
 * How much a storm cost.
 *
 * @param pools that were wrong
 * @param writes that were sent for them, refused ones included
 * @param amplification writes per pool
 * @param slowestMillis from the first call to ARM until the last pool was right
 */
public record Storm(int pools, int writes, double amplification, long slowestMillis) {}
