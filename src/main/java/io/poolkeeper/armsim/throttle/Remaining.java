package io.poolkeeper.armsim.throttle;

import java.util.Map;

/**
 * The tokens in Resource Manager's buckets after a request, for the headers of its answer.
 *
 * @param local in the principal's own bucket
 * @param global in the subscription's, which all principals share
 */
public record Remaining(Kind kind, long local, long global) {
  public Map<String, String> headers() {
    String prefix = "x-ms-ratelimit-remaining-subscription-";
    return Map.of(
        prefix + kind.plural(), Long.toString(local),
        prefix + "global-" + kind.plural(), Long.toString(global));
  }
}
