package io.poolkeeper.lock;

import io.poolkeeper.core.Core;
import io.poolkeeper.core.Decision;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Whether another installation has a leader (docs/topics/replicas.md). The annotation {@code
 * poolkeeper.io/writer} of the shared Lease names the Lease of the leader that took it last. If
 * that is not our leader's Lease, it is watched before this process stands for election.
 *
 * <p>Invariants: a leader is one that renews its Lease while we watch; the times in the Lease do
 * not count, as another clock wrote them. A watch lasts for the longer of the two lease durations,
 * and for the time in which a standby of the other installation may take over after that. The core
 * decides once, and only by a read that was answered: the election needs the same API server.
 *
 * @param leaseDuration our own; the least time of a watch
 * @param retryPeriod between two reads
 */
public record OtherLeaderCore(Duration leaseDuration, Duration retryPeriod)
    implements Core<OtherLeaderCore.State, OtherLeaderCore.Event, OtherLeaderCore.Effect> {
  /** The longest lease duration that settings allow. */
  static final Duration LONGEST = Duration.ofMinutes(10);

  /** The answers of the API server. */
  public sealed interface Event {
    /** The annotation names no other Lease, or that one does not exist. */
    record None() implements Event {}

    /**
     * The other Lease.
     *
     * @param leader its holder is empty if nobody holds it
     * @param duration after which it expires
     */
    record Seen(LeaderView leader, Duration duration) implements Event {
      boolean renewedSince(Seen before) {
        return !leader.equals(before.leader) && !leader.holder().isEmpty();
      }
    }

    /** A Lease must not be read, or its name makes no sense. */
    record Refused(String why) implements Event {}

    /** The read failed, and is repeated. */
    record Failed() implements Event {}
  }

  public sealed interface Effect {
    /** Stand for election. */
    record Stand() implements Effect {}

    /** Stand for election, although it is not known whether another installation writes. */
    record StandUnsure(String why) implements Effect {}

    /** Do not stand for election: another installation writes. */
    record Refuse(String holder) implements Effect {}
  }

  public sealed interface State {
    /** Nothing was read yet. */
    record Initial() implements State {}

    /**
     * The other Lease is watched.
     *
     * @param last as it was read last; empty if no read has succeeded
     * @param until the end of the watch; without a meaning before a read has succeeded
     * @param next when it is read again
     */
    record Watching(Optional<Event.Seen> last, Instant until, Instant next) implements State {}

    record Decided() implements State {}
  }

  /** Deterministic: {@code random} is not used. */
  @Override
  public Decision<State, Effect> decide(
      State state, Event event, Instant now, RandomGenerator random) {
    if (state instanceof State.Decided) {
      return Decision.of(state);
    }
    Optional<State.Watching> watching =
        state instanceof State.Watching before && before.last().isPresent()
            ? Optional.of(before)
            : Optional.empty();
    return switch (event) {
      case Event.None none -> decided(new Effect.Stand());
      case Event.Refused refused -> decided(new Effect.StandUnsure(refused.why()));
      case Event.Seen seen -> seen(watching, seen, now);
      case Event.Failed failed -> {
        Optional<Event.Seen> last = watching.flatMap(State.Watching::last);
        Instant until = watching.map(State.Watching::until).orElse(now);
        yield Decision.of(new State.Watching(last, until, now.plus(retryPeriod)));
      }
    };
  }

  /**
   * Refuses to stand if the other leader has renewed, and goes on watching until the end.
   *
   * @param watching the watch until now; empty if no read has succeeded yet
   */
  private Decision<State, Effect> seen(
      Optional<State.Watching> watching, Event.Seen seen, Instant now) {
    Optional<Event.Seen> last = watching.flatMap(State.Watching::last);
    if (last.filter(seen::renewedSince).isPresent()) {
      return decided(new Effect.Refuse(seen.leader().holder()));
    }
    Instant until =
        watching.map(State.Watching::until).orElse(now.plus(watchTime(seen.duration())));
    if (!now.isBefore(until)) {
      return decided(new Effect.Stand());
    }
    Instant retry = now.plus(retryPeriod);
    Instant next = retry.isBefore(until) ? retry : until;
    return Decision.of(new State.Watching(Optional.of(seen), until, next));
  }

  /** How long a Lease is watched that has the given duration. */
  private Duration watchTime(Duration other) {
    Duration bounded = other.compareTo(LONGEST) < 0 ? other : LONGEST;
    Duration longer = bounded.compareTo(leaseDuration) < 0 ? leaseDuration : bounded;
    // A standby reads the Lease twice after it has expired, each at most 2.2 periods apart.
    return longer.plus(retryPeriod.multipliedBy(22).dividedBy(5));
  }

  private static Decision<State, Effect> decided(Effect effect) {
    return Decision.of(new State.Decided(), effect);
  }

  /** When the Lease is read again. */
  @Override
  public Optional<Instant> wakeAt(State state) {
    return state instanceof State.Watching watching
        ? Optional.of(watching.next())
        : Optional.empty();
  }
}
