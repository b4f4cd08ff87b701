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
 * one holds it, but for drains that have waited, and its own sessions leave gaps
 * (docs/topics/shared-lock.md).
 *
 * @param attempts of the cloud provider to take it, in order
 * @param holds of the cloud provider
 * @param sessions of the controller, in order
 */
public record SharedLease(
    List<Attempt> attempts, List<Hold> holds, List<Session> sessions, Terms terms) {
  private static final Duration LEAST_PAUSE = Duration.ofMillis(50);
  private static final int PAUSE_FACTOR = 4;

  /** One session in so many may seem to follow too soon. */
  private static final int FEW = 8;

  /** A run of failures that is longer comes about by chance in one rehearsal of a thousand. */
  private static final double BAD_LUCK = 1e-3;

  public SharedLease {
    attempts = List.copyOf(attempts);
    holds = List.copyOf(holds);
    sessions = List.copyOf(sessions);
  }

  /**
   * One attempt.
   *
   * @param met the session of another holder that was in the way; empty if it was taken
   * @param silent whether another holder had it meanwhile and has not said so, as it must
   */
  public record Attempt(Optional<String> met, boolean silent) {}

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
   * @param left the names of the nodes that were out of service
   */
  public record Terms(Duration yield, Optional<Duration> drainWait, Set<String> left) {
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

  /** The same, but several attempts that met one session count once. */
  int sessionsInRow() {
    List<Attempt> once = new ArrayList<>();
    for (Attempt attempt : attempts) {
      if (attempt.met().isEmpty() || once.isEmpty() || !once.getLast().equals(attempt)) {
        once.add(attempt);
      }
    }
    return new SharedLease(once, holds, sessions, terms).longestRun();
  }

  /**
   * The least nanoseconds for which it is free after a session: four times as long, at least 50 ms
   * and at most {@code yield}; after sessions that lasted for {@code max-hold} it is longer.
   */
  private long pause(Duration session) {
    long wanted = Math.max(LEAST_PAUSE.toNanos(), session.multipliedBy(PAUSE_FACTOR).toNanos());
    return Math.min(wanted, terms.yield().toNanos());
  }

  /**
   * Sessions that began before half of the pause after the one before was over; empty if they are
   * few, as the end of a session may be seen late.
   */
  public List<String> crowded() {
    List<String> wrong = new ArrayList<>();
    for (int i = 1; i < sessions.size(); i++) {
      Duration length = sessions.get(i - 1).length();
      Duration after = Duration.between(sessions.get(i - 1).began(), sessions.get(i).began());
      if (after.toNanos() < length.toNanos() + pause(length) / 2) {
        wrong.add("%d ms after one of %d ms".formatted(after.toMillis(), length.toMillis()));
      }
    }
    return wrong.size() * FEW <= sessions.size() ? List.of() : wrong;
  }

  /** The largest share of time that the controller may hold it. */
  double share() {
    double held = 0;
    double free = 0;
    for (Session session : sessions) {
      held += session.length().toNanos();
      free += pause(session.length());
    }
    return sessions.isEmpty() ? 0 : held / (held + free);
  }

  /**
   * How many sessions in a row the cloud provider may meet. An attempt comes at any time, so it
   * meets one with the probability {@link #share}, and a run of so many begins at each attempt.
   */
  int limit() {
    int most = 1;
    while (attempts.size() * Math.pow(share(), most + 1) > BAD_LUCK) {
      most++;
    }
    return most;
  }

  /** Whether the cloud provider had its chances. */
  public boolean fair() {
    return sessionsInRow() <= limit();
  }

  /** The same in words. */
  public String luck() {
    return "%d sessions in a row, at most %d with a share of %.2f"
        .formatted(sessionsInRow(), limit(), share());
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
