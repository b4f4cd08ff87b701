package io.poolkeeper.ratelimit;

/**
 * How urgent a request for a permit is (architecture, The rate limiter). The priority level decides
 * first. Within a priority level, namespaces take turns; of the drains at one load balancer, the
 * largest share goes first.
 *
 * @param share the entries that are to become Down, of those that are not Down yet; none if the
 *     priority level is not for drains
 * @param namespace the only one whose Services or binding own the pool; empty if several do or none
 *     is known, and for drains, which go by their shares
 */
public record Priority(PriorityLevel level, Share share, String namespace) {
  public Priority {
    if (!level.drains() && !share.equals(Share.NONE)) {
      throw new IllegalArgumentException("a share at priority level " + level);
    }
    if (level.drains() && !namespace.isEmpty()) {
      throw new IllegalArgumentException("a namespace at priority level " + level);
    }
  }

  public Priority(PriorityLevel level, Share share) {
    this(level, share, "");
  }

  /** The priority of a request that sets no entry Down. */
  public static Priority of(PriorityLevel level) {
    return new Priority(level, Share.NONE);
  }

  public Priority in(String other) {
    return new Priority(level, share, other);
  }
}
