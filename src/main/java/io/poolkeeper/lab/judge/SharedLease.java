package io.poolkeeper.lab.judge;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks how the controller shares the Lease with the cloud provider: it begins no write while that
 * one holds it, but for drains that have waited, leaves it free for one that says that it waits,
 * and gives it up in time (docs/topics/shared-lock.md).
 *
 * @param attempts of the cloud provider to take it, in order
 * @param holds of the cloud provider
 * @param sessions of the controller, in order
 */
public record SharedLease(
    List<Attempt> attempts, List<Hold> holds, List<Session> sessions, Terms terms) {
  /** After the first one of a run. */
  private static final int MOST_IN_ROW = 4;

  private static final Duration SEEN_LATE = Duration.ofSeconds(2);

  public SharedLease {
    attempts = List.copyOf(attempts);
    holds = List.copyOf(holds);
    sessions = List.copyOf(sessions);
  }

  /**
   * One attempt.
   *
   * @param met the session of another holder that was in the way; empty if it was taken
   * @param announced whether it says by an event how that ended
   * @param silent whether another holder had it meanwhile and has not said so, as it must
   */
  public record Attempt(Optional<String> met, boolean announced, boolean silent) {}

  /**
   * One session of the controller.
   *
   * @param began as the Lease says
   * @param length until the release was seen, which may be late
   */
  public record Session(Instant began, Duration length) {}

  /** From the answer that granted it until the request that gave it back; monotonic. */
  public record Hold(long fromNanos, long untilNanos) {
    boolean covers(long atNanos) {
      return atNanos >= fromNanos && atNanos < untilNanos;
    }
  }

  /**
   * What the controller is to keep to.
   *
   * @param longest session
   * @param left the names of the nodes that were out of service
   */
  public record Terms(Duration longest, Optional<Duration> drainWait, Set<String> left) {
    public Terms {
      left = Set.copyOf(left);
    }

    /** A node that leaves is drained, or its entry is gone. A refused write may have been one. */
    public boolean drains(@Nullable PoolWrite write) {
      return write == null
          || !write.states().isEmpty()
          || write.removed().stream().anyMatch(left::contains);
    }
  }

  /** Attempts that failed. */
  public int failed() {
    return (int) attempts.stream().filter(attempt -> attempt.met().isPresent()).count();
  }

  /** The longest run of attempts that failed. */
  public int longestRun() {
    int longest = 0;
    int run = 0;
    for (Attempt attempt : attempts) {
      run = attempt.met().isPresent() ? run + 1 : 0;
      longest = Math.max(longest, run);
    }
    return longest;
  }

  /**
   * Runs of attempts that failed although the cloud provider had said that it waits: after the
   * first failure, whose event comes too late for nobody, four more may: of any 30 s the controller
   * leaves it 10 at most, for all Services together.
   */
  public List<String> impatient() {
    List<String> wrong = new ArrayList<>();
    List<Attempt> announced = attempts.stream().filter(Attempt::announced).toList();
    int run = 0;
    for (Attempt attempt : announced) {
      run = attempt.met().isPresent() ? run + 1 : 0;
      if (run > MOST_IN_ROW + 1) {
        wrong.add("%d in a row, the last one met %s".formatted(run, attempt.met().orElse("")));
      }
    }
    return wrong;
  }

  /** Sessions that were not given up in time. */
  public List<String> endless() {
    return sessions.stream()
        .filter(session -> session.length().compareTo(terms.longest().plus(SEEN_LATE)) > 0)
        .map(Session::toString)
        .toList();
  }

  /** Attempts after which the cloud provider went on with what it had read long before. */
  public List<String> silent() {
    return attempts.stream().filter(Attempt::silent).map(Attempt::toString).toList();
  }

  /** Writes that began while the cloud provider held it, and were no drain that had waited. */
  public List<String> intruding(List<ArmRequest> requests, List<PoolWrite> writes) {
    return beside(requests, writes, false);
  }

  /** Drains that did not wait any longer for the cloud provider. */
  public List<String> bypassing(List<ArmRequest> requests, List<PoolWrite> writes) {
    return beside(requests, writes, true);
  }

  private List<String> beside(List<ArmRequest> requests, List<PoolWrite> writes, boolean drains) {
    Map<Long, PoolWrite> accepted =
        writes.stream()
            .collect(
                Collectors.toMap(PoolWrite::sentNanos, Function.identity(), (one, other) -> one));
    List<String> found = new ArrayList<>();
    for (ArmRequest request : requests.stream().filter(ArmRequest::writesPool).toList()) {
      for (Hold hold : holds) {
        long after = request.arrivedNanos() - hold.fromNanos();
        PoolWrite write = accepted.get(request.arrivedNanos());
        boolean drain = terms.drains(write);
        boolean late = terms.drainWait().map(wait -> after >= wait.toNanos()).orElse(false);
        if (hold.covers(request.arrivedNanos()) && (drain && late) == drains) {
          found.add("%s after %d ms".formatted(request, after / 1_000_000));
        }
      }
    }
    return found;
  }
}
