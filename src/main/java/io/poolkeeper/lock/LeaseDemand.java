package io.poolkeeper.lock;

/**
 * The turnstile's demand for the Lease, as a level.
 *
 * @param wanted whether a turn would be granted now if the Lease were held
 * @param drain whether such a turn is for a drain
 * @param ended the last session that nothing needs any more and under which no turn will be
 *     granted; 0 if none
 */
public record LeaseDemand(boolean wanted, boolean drain, long ended) {
  public static final LeaseDemand NONE = new LeaseDemand(false, false, 0);
}
