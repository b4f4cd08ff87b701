package io.poolkeeper.status;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.pool.Difference;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.pool.PoolStatus.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The last events of a pool, derived from its statuses. Immutable.
 *
 * @param entries the newest first, at most {@link #LONGEST}
 * @param last what the last write did, in some words; empty if this process has written none
 * @param behind when the pool began to differ from what is desired; monotonic
 * @param without since when owners have had no right node in the pool; monotonic
 */
public record PoolLog(
    List<Entry> entries,
    Optional<String> last,
    Optional<Instant> behind,
    Map<ServiceKey, Instant> without) {
  /** The maximum of entries of each pool. */
  public static final int LONGEST = 50;

  static final PoolLog EMPTY = new PoolLog(List.of(), Optional.empty(), Optional.empty(), Map.of());

  public enum Kind {
    /** What is desired has changed. */
    CHANGE,
    /** The pool waits. */
    WAIT,
    /** A GET. */
    READ,
    /** A PUT. */
    WRITE
  }

  /**
   * An event of the pool.
   *
   * @param until its end; empty if it goes on, or took no time
   * @param failure of the call, if it failed
   * @param trace the id of the trace that it belongs to
   */
  public record Entry(
      Instant at,
      Optional<Instant> until,
      Kind kind,
      String text,
      Optional<ArmFailure> failure,
      Optional<String> trace) {
    private static Entry begun(Instant now, Kind kind, String text, Optional<String> trace) {
      return new Entry(now, Optional.empty(), kind, text, Optional.empty(), trace);
    }

    private Entry ended(Instant now, Optional<ArmFailure> failure) {
      return new Entry(at, Optional.of(now), kind, text, failure, trace);
    }
  }

  public PoolLog {
    entries = List.copyOf(entries.subList(0, Math.min(entries.size(), LONGEST)));
    without = Map.copyOf(without);
  }

  PoolLog next(Optional<PoolStatus> before, PoolStatus after, Optional<String> trace, Instant now) {
    List<Entry> next = new ArrayList<>(entries);
    change(before, after)
        .ifPresent(text -> next.addFirst(Entry.begun(now, Kind.CHANGE, text, trace)));
    Optional<State> stateBefore = before.map(PoolStatus::state);
    if (!stateBefore.equals(Optional.of(after.state()))) {
      before.ifPresent(status -> end(next, status, after, now));
      kind(after).ifPresent(kind -> next.addFirst(Entry.begun(now, kind, text(after), trace)));
    }
    Optional<String> wrote =
        before
            .filter(status -> status.state() == State.WRITING && after.state() != State.WRITING)
            .filter(status -> failure(status, after).isEmpty())
            .map(status -> changes(status.difference()) + took(status, now));
    boolean inSync = after.state() == State.IDLE && after.difference().isEmpty();
    Instant since = behind.or(() -> after.activity().pendingSince()).orElse(now);
    Map<ServiceKey, Instant> none =
        Impact.without(after).stream()
            .collect(
                Collectors.toMap(
                    Function.identity(), service -> without.getOrDefault(service, now)));
    return new PoolLog(
        next, wrote.or(() -> last), inSync ? Optional.empty() : Optional.of(since), none);
  }

  /** Ends what was going on; a call may have failed. */
  private static void end(List<Entry> entries, PoolStatus before, PoolStatus after, Instant now) {
    for (int i = 0; i < entries.size(); i++) {
      Entry entry = entries.get(i);
      if (entry.kind() != Kind.CHANGE) {
        if (entry.until().isEmpty()) {
          boolean calls = entry.kind() != Kind.WAIT;
          entries.set(i, entry.ended(now, calls ? failure(before, after) : Optional.empty()));
        }
        return;
      }
    }
  }

  /** A failure that came between two statuses; of members or of admin states. */
  private static Optional<ArmFailure> failure(PoolStatus before, PoolStatus after) {
    if (after.lastError().isPresent() && !after.lastError().equals(before.lastError())) {
      return after.lastError();
    }
    Optional<ArmFailure> failure = after.difference().failure();
    return failure.equals(before.difference().failure()) ? Optional.empty() : failure;
  }

  private static Optional<Kind> kind(PoolStatus status) {
    return switch (status.state()) {
      case IDLE, STOPPED, OPTED_OUT -> Optional.empty();
      case READING -> Optional.of(Kind.READ);
      case WRITING -> Optional.of(Kind.WRITE);
      case GATHERING, PARKED, BRAKED, HELD, PAUSED, WAITING, FAILED, POSTPONED ->
          Optional.of(Kind.WAIT);
    };
  }

  private static String text(PoolStatus status) {
    return switch (status.state()) {
      case READING -> "GET";
      case WRITING -> "PUT: " + changes(status.difference());
      case WAITING -> "waits for its turn";
      case IDLE, GATHERING, PARKED, BRAKED, HELD, PAUSED, FAILED, POSTPONED, STOPPED, OPTED_OUT ->
          status.activity().why();
    };
  }

  private static Optional<String> change(Optional<PoolStatus> before, PoolStatus after) {
    if (before.isEmpty()) {
      return Optional.of("followed from now on");
    }
    Set<Address> desired = after.members().desired();
    Set<Address> desiredBefore = before.get().members().desired();
    long added = desired.stream().filter(address -> !desiredBefore.contains(address)).count();
    long gone = desiredBefore.stream().filter(address -> !desired.contains(address)).count();
    Set<NodeKey> leaving = new HashSet<>(after.difference().leaving());
    leaving.removeAll(before.get().difference().leaving());
    String nodes = counts(added, gone);
    String leaves =
        leaving.isEmpty()
            ? ""
            : String.join(", ", leaving.stream().map(NodeKey::name).sorted().toList()) + " leaves";
    String text = nodes + (nodes.isEmpty() || leaves.isEmpty() ? "" : "; ") + leaves;
    return text.isEmpty() ? Optional.empty() : Optional.of(text);
  }

  private static String changes(Difference difference) {
    int states = difference.down() + difference.up();
    String members = counts(difference.add(), difference.remove());
    String set = difference.down() > 0 ? difference.down() + " → Down" : states + " → None";
    return states == 0 ? members : members.isEmpty() ? set : members + ", " + set;
  }

  private static String counts(long added, long gone) {
    String plus = added == 0 ? "" : "+" + added;
    String minus = gone == 0 ? "" : "−" + gone;
    return plus + (plus.isEmpty() || minus.isEmpty() ? "" : " ") + minus;
  }

  private static String took(PoolStatus before, Instant now) {
    return before
        .activity()
        .pendingSince()
        .map(since -> ", after %.1f s".formatted(Duration.between(since, now).toMillis() / 1e3))
        .orElse("");
  }
}
