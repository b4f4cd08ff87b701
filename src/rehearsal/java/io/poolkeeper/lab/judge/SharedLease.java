package io.poolkeeper.lab.judge;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Judges how the controller shares the Lease with the cloud provider (docs/topics/shared-lock.md).
 * The controller begins no write while the cloud provider holds the Lease, except a drain that has
 * waited for it long enough. It leaves the Lease free while the cloud provider says that it waits.
 *
 * @param attempts of the cloud provider to take the Lease, in order
 * @param holds the times for which the cloud provider held the Lease
 * @param drainWait how long a drain waits for the Lease
 * @param left the names of the nodes that were out of service
 */
public record SharedLease(
    List<Attempt> attempts, List<Hold> holds, Optional<Duration> drainWait, Set<String> left) {
  /** The most attempts that fail after the first one of a run. */
  private static final int MOST_IN_ROW = 4;

  public SharedLease {
    attempts = List.copyOf(attempts);
    holds = List.copyOf(holds);
    left = Set.copyOf(left);
  }

  /**
   * One attempt.
   *
   * @param met the session of another holder that was in the way; empty if it was taken
   * @param announced whether it says by an event how that ended
   * @param silent whether another holder had it meanwhile and has not said so, as it must
   */
  public record Attempt(Optional<String> met, boolean announced, boolean silent) {}

  /** From the answer that granted it until the request that gave it back; monotonic. */
  public record Hold(long fromNanos, long untilNanos) {
    boolean covers(long atNanos) {
      return atNanos >= fromNanos && atNanos < untilNanos;
    }
  }

  public int failed() {
    return (int) attempts.stream().filter(attempt -> attempt.met().isPresent()).count();
  }

  public int longestRun() {
    return longestRun(attempts);
  }

  private static int longestRun(List<Attempt> attempts) {
    int longest = 0;
    int run = 0;
    for (Attempt attempt : attempts) {
      run = attempt.met().isPresent() ? run + 1 : 0;
      longest = Math.max(longest, run);
    }
    return longest;
  }

  /**
   * A run of attempts that failed although the cloud provider had said that it waits: after the
   * first failure, whose event comes too late for nobody, four more may: of any 30 s the controller
   * leaves it 10 at most, for all Services together.
   */
  public List<String> impatient() {
    int run = longestRun(attempts.stream().filter(Attempt::announced).toList());
    return run > MOST_IN_ROW + 1 ? List.of(run + " in a row") : List.of();
  }

  /** Attempts after which the cloud provider went on with what it had read long before. */
  public List<String> silent() {
    return attempts.stream().filter(Attempt::silent).map(Attempt::toString).toList();
  }

  /** A node that leaves is drained, or its entry is gone. A refused write may have been one. */
  private boolean drains(@Nullable PoolWrite write) {
    return write == null
        || !write.states().isEmpty()
        || write.removed().stream().anyMatch(left::contains);
  }

  /**
   * Writes that began while the cloud provider held it.
   *
   * @param late whether drains that did not wait for it any longer; else all others
   */
  public List<String> beside(List<ArmRequest> requests, List<PoolWrite> writes, boolean late) {
    Map<Long, PoolWrite> accepted =
        writes.stream()
            .collect(
                Collectors.toMap(PoolWrite::sentNanos, Function.identity(), (one, other) -> one));
    List<String> found = new ArrayList<>();
    for (ArmRequest request : requests.stream().filter(ArmRequest::writesPool).toList()) {
      for (Hold hold : holds) {
        long after = request.arrivedNanos() - hold.fromNanos();
        boolean drain = drains(accepted.get(request.arrivedNanos()));
        boolean waited = drainWait.map(wait -> after >= wait.toNanos()).orElse(false);
        if (hold.covers(request.arrivedNanos()) && (drain && waited) == late) {
          found.add("%s after %d ms".formatted(request, after / 1_000_000));
        }
      }
    }
    return found;
  }
}
