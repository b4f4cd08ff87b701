package io.poolkeeper.lock;

/**
 * Whether the rate limiter needs the Lease that is shared with the cloud provider. The rate limiter
 * sends it to the shared lock as a level: the newest one replaces all before it.
 *
 * @param wanted whether a permit would be granted now if the Lease were held
 * @param drain whether such a permit is for a drain
 * @param ended the number of the last session of the Lease that nothing needs any more, and under
 *     which no permit will be granted; 0 if there is none
 */
public record LeaseDemand(boolean wanted, boolean drain, long ended) {
  public static final LeaseDemand NONE = new LeaseDemand(false, false, 0);
}
