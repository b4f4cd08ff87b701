package io.poolkeeper.turnstile;

/**
 * How urgent a request for a turn is: its lane, and among the drains that wait at one load balancer
 * the share of the pool that is at stake (architecture, The turnstile).
 *
 * @param share the entries that are to become Down, of those that are not Down yet; none if the
 *     lane is not for drains
 */
public record Priority(Lane lane, Share share) {
  public Priority {
    if (!lane.drains() && !share.equals(Share.NONE)) {
      throw new IllegalArgumentException("a share in lane " + lane);
    }
  }

  /** The priority of a request that sets no entry Down. */
  public static Priority of(Lane lane) {
    return new Priority(lane, Share.NONE);
  }
}
