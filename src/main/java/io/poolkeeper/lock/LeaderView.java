package io.poolkeeper.lock;

import java.time.Instant;

/**
 * The leader, as its Lease names it.
 *
 * @param holder its identity: {@code <pod>_<uid>} in a cluster
 * @param renewed the last renewal, of the time of day
 */
public record LeaderView(String holder, Instant renewed) {
  /** The name of the leader's pod, or of its machine. */
  public String pod() {
    int end = holder.lastIndexOf('_');
    return end < 1 ? holder : holder.substring(0, end);
  }
}
