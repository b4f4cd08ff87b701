package io.poolkeeper.ratelimit;

/**
 * How urgent a request for a turn is (architecture, The rate limiter). The lane decides first.
 * Within a lane, namespaces take turns; of the drains at one load balancer, the largest share goes
 * first.
 *
 * @param share the entries that are to become Down, of those that are not Down yet; none if the
 *     lane is not for drains
 * @param namespace the only one whose Services or binding own the pool; empty if several do or none
 *     is known, and for drains, which go by their shares
 */
public record Priority(Lane lane, Share share, String namespace) {
  public Priority {
    if (!lane.drains() && !share.equals(Share.NONE)) {
      throw new IllegalArgumentException("a share in lane " + lane);
    }
    if (lane.drains() && !namespace.isEmpty()) {
      throw new IllegalArgumentException("a namespace in lane " + lane);
    }
  }

  public Priority(Lane lane, Share share) {
    this(lane, share, "");
  }

  /** The priority of a request that sets no entry Down. */
  public static Priority of(Lane lane) {
    return new Priority(lane, Share.NONE);
  }

  public Priority in(String other) {
    return new Priority(lane, share, other);
  }
}
