package io.poolkeeper.watch;

import io.poolkeeper.core.Core;
import io.poolkeeper.core.Decision;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Whether a watch still shows the cluster as it is (architecture, Invariants). A watch is lost when
 * it was not connected for a while. A half-open connection looks connected: so the client ends a
 * connection that is silent for long, and the watch is lost unless another one follows in time. The
 * loss ends when a list that was made after it is delivered as a whole.
 */
public record WatchLiveness(Limits limits)
    implements Core<WatchLiveness.State, WatchLiveness.Seen, WatchLiveness.Effect> {
  /**
   * The times after which a watch is looked at, or lost.
   *
   * @param check how often the watch is looked at
   * @param disconnected how long a watch may have no connection
   * @param silent how long a connection may have no event or bookmark, from its opening on
   */
  public record Limits(Duration check, Duration disconnected, Duration silent) {
    public static final Limits SHIPPED =
        new Limits(Duration.ofSeconds(1), Duration.ofSeconds(30), Duration.ofSeconds(150));

    public Limits {
      boolean ordered =
          check.isPositive()
              && check.compareTo(disconnected) <= 0
              && disconnected.compareTo(silent) <= 0;
      if (!ordered) {
        throw new IllegalArgumentException(
            "expected 0 < check <= disconnected <= silent, found %s, %s, %s"
                .formatted(check, disconnected, silent));
      }
    }
  }

  /**
   * What is to be seen of the watch at a moment.
   *
   * @param delivered the number of the last list that was delivered as a whole; 0 if none was
   * @param connected whether the API server has accepted a watch that has not ended
   */
  public record Seen(int delivered, boolean connected) {}

  public enum Effect {
    /** The watch is lost: say so, then list anew, with the next number. */
    LOSE,
    /** It is lost before its first list, which is still waited for: say so. */
    MISS
  }

  public sealed interface State {
    /** Whether what was delivered may be old. */
    boolean lost();

    /** Since when there is no connection; empty if there is one, or once the watch is lost. */
    Optional<Instant> downSince();
  }

  /**
   * A list is waited for.
   *
   * @param number of the list
   * @param lost whether the watch is lost; before a first list, only if it was not connected
   */
  public record Listing(int number, boolean lost, Optional<Instant> downSince) implements State {
    Listing seen(Seen seen, Instant now) {
      Optional<Instant> down =
          lost || seen.connected() ? Optional.empty() : downSince.or(() -> Optional.of(now));
      return new Listing(number, lost, down);
    }

    Watching delivered(Seen seen, Instant now) {
      return new Watching(number, seen.connected() ? Optional.empty() : Optional.of(now));
    }
  }

  /**
   * What was delivered is kept up to date.
   *
   * @param number of the last list
   */
  public record Watching(int number, Optional<Instant> downSince) implements State {
    @Override
    public boolean lost() {
      return false;
    }

    Watching seen(Seen seen, Instant now) {
      return new Watching(
          number, seen.connected() ? Optional.empty() : downSince.or(() -> Optional.of(now)));
    }

    Listing lose() {
      return new Listing(number + 1, true, Optional.empty());
    }
  }

  public static State initial() {
    return new Listing(1, false, Optional.empty());
  }

  @Override
  public Decision<State, Effect> decide(
      State state, Seen seen, Instant now, RandomGenerator random) {
    return switch (state) {
      case Listing listing ->
          seen.delivered() == listing.number()
              ? Decision.of(listing.delivered(seen, now))
              : list(listing.seen(seen, now), now);
      case Watching watching -> watch(watching.seen(seen, now), now);
    };
  }

  private Decision<State, Effect> list(Listing next, Instant now) {
    return isDownTooLong(next, now)
        ? Decision.of(new Listing(next.number(), true, Optional.empty()), Effect.MISS)
        : Decision.of(next);
  }

  private Decision<State, Effect> watch(Watching next, Instant now) {
    return isDownTooLong(next, now) ? Decision.of(next.lose(), Effect.LOSE) : Decision.of(next);
  }

  private boolean isDownTooLong(State state, Instant now) {
    return wakeAt(state).filter(deadline -> !deadline.isAfter(now)).isPresent();
  }

  @Override
  public Optional<Instant> wakeAt(State state) {
    return state.downSince().map(since -> since.plus(limits.disconnected()));
  }
}
