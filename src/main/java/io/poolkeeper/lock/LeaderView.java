package io.poolkeeper.lock;

import java.time.Instant;

/**
 * Who leads, as the leader's Lease says.
 *
 * @param holder its identity: {@code <pod>_<uid>} in a cluster
 * @param renewed when it said so last, of the time of day
 */
public record LeaderView(String holder, Instant renewed) {
  /** The name of its pod, or of its machine. */
  public String pod() {
    int end = holder.lastIndexOf('_');
    return end < 1 ? holder : holder.substring(0, end);
  }
}
