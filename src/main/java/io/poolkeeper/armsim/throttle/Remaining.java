package io.poolkeeper.armsim.throttle;

import java.util.Map;

/**
 * What Resource Manager's buckets hold after a request, which is what its answer tells.
 *
 * @param local in the principal's own bucket
 * @param global in the subscription's, which all principals share
 */
public record Remaining(Kind kind, long local, long global) {
  /** The headers that say so. */
  public Map<String, String> headers() {
    String prefix = "x-ms-ratelimit-remaining-subscription-";
    return Map.of(
        prefix + kind.plural(), Long.toString(local),
        prefix + "global-" + kind.plural(), Long.toString(global));
  }
}
