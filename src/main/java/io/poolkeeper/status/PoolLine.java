package io.poolkeeper.status;

import io.poolkeeper.model.AdminState;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.status.Cause.NotManaged;
import io.poolkeeper.status.Surroundings.InLine;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A pool for people.
 *
 * @param cause why it is behind; empty if it is in sync
 * @param label its state in one or two words
 * @param why the cause in some words, with its place in line; empty if it is in sync
 * @param since when it began to differ from what is desired
 * @param until when it goes on by itself
 */
public record PoolLine(
    PoolStatus status,
    Optional<Cause> cause,
    String label,
    String why,
    Optional<Instant> since,
    Optional<Instant> until,
    Exactness exactness) {
  static PoolLine of(PoolStatus status, Surroundings around) {
    Optional<Cause> cause = Diagnosis.of(status, around);
    Optional<InLine> line = around.waiting(status);
    Optional<Instant> permit = line.flatMap(in -> estimate(status, in, around));
    Optional<Instant> until =
        permit.or(() -> line.isPresent() ? line.get().waiting().until() : ends(status, around));
    boolean managed = status.state() != PoolStatus.State.OPTED_OUT;
    return new PoolLine(
        status,
        cause,
        label(status, cause),
        cause.map(of -> Brief.of(of, status, line)).orElse(""),
        cause
            .filter(any -> managed)
            .flatMap(
                any ->
                    status
                        .activity()
                        .pendingSince()
                        .or(() -> around.recent().log(status.id()).behind())),
        until.filter(any -> cause.isPresent() && managed),
        permit.isPresent() ? Exactness.ESTIMATE : exactness(status, cause));
  }

  /** Whether a managed pool differs from what is desired. */
  public boolean behind() {
    return cause.filter(of -> !(of instanceof NotManaged)).isPresent();
  }

  /**
   * How many of its nodes it has and what else is to change, as a predicate. Says so if a call has
   * not shown them: then the nodes that it has and those that it lacks are not all.
   */
  public String nodes() {
    PoolStatus.Membership members = status.members();
    int wanted = members.desired().size();
    if (members.right() + status.difference().add() != wanted) {
      return members.interfaces() ? "has network interfaces as members" : "is not read yet";
    }
    PoolEdit edit = status.picture().written();
    Collection<AdminState> states = edit.adminStates().values();
    return "has %d of %d nodes".formatted(members.right(), wanted)
        + also(edit.remove().size(), "too many")
        + also(Collections.frequency(states, AdminState.DOWN), "to set Down")
        + also(Collections.frequency(states, AdminState.NONE), "to set None");
  }

  private static String also(int number, String what) {
    return number == 0 ? "" : ", %d %s".formatted(number, what);
  }

  public Tone tone() {
    return cause.map(Cause::tone).orElse(Tone.OK);
  }

  /** When the pool has its permit, if only others at its load balancer are before it. */
  private static Optional<Instant> estimate(PoolStatus status, InLine line, Surroundings around) {
    Optional<Duration> mean = around.meanWrite(status.id());
    return switch (line.waiting().why()) {
      case TURN -> mean.map(of -> around.now().plus(of.multipliedBy(line.place())));
      case LOAD_BALANCER_GATE,
          SETTLING,
          EARLY_PAUSE,
          IN_FLIGHT,
          SUBSCRIPTION_GATE,
          SLOW_START,
          READ_TOKENS,
          WRITE_TOKENS,
          EARLY_TOKENS,
          RETRY_BUDGET,
          LEASE,
          NEXT ->
          Optional.empty();
    };
  }

  /** When an attempt ends, by the mean of others. */
  private static Optional<Instant> ends(PoolStatus status, Surroundings around) {
    return switch (status.state()) {
      case READING, WRITING ->
          around
              .meanWrite(status.id())
              .flatMap(mean -> status.picture().attemptSince().map(since -> since.plus(mean)));
      case IDLE,
          GATHERING,
          PARKED,
          BRAKED,
          HELD,
          PAUSED,
          WAITING,
          FAILED,
          POSTPONED,
          STOPPED,
          OPTED_OUT ->
          status.activity().until();
    };
  }

  private static Exactness exactness(PoolStatus status, Optional<Cause> cause) {
    return switch (status.state()) {
      case READING, WRITING -> Exactness.ESTIMATE;
      case WAITING -> throttled(cause) ? Exactness.EXACT : Exactness.LATEST;
      case IDLE, GATHERING, PARKED, BRAKED, HELD, PAUSED, FAILED, POSTPONED, STOPPED, OPTED_OUT ->
          Exactness.EXACT;
    };
  }

  private static boolean throttled(Optional<Cause> cause) {
    return cause.filter(Cause.Throttled.class::isInstance).isPresent();
  }

  private static String label(PoolStatus status, Optional<Cause> cause) {
    return switch (status.state()) {
      case IDLE -> cause.map(PoolLine::label).orElse("In sync");
      case GATHERING -> cause.map(PoolLine::label).orElseThrow();
      case PARKED -> "Throttled";
      case BRAKED -> "Large removal";
      case HELD -> "Held by check";
      case PAUSED -> "Paused";
      case WAITING -> "Queued";
      case READING -> "Reading";
      case WRITING -> "Writing";
      case FAILED -> "Failed";
      case POSTPONED -> "Contested";
      case STOPPED -> "Stopped";
      case OPTED_OUT -> "Not managed";
    };
  }

  /** The label of a pool that rests, or that waits for its next attempt. */
  private static String label(Cause cause) {
    if (cause instanceof Cause.Batching) {
      return "Batching";
    } else if (cause instanceof Cause.WouldWrite) {
      return "Would write";
    } else if (cause instanceof Cause.WatchLost) {
      return "Watch lost";
    } else if (cause instanceof Cause.LeftAlone) {
      return "Left alone";
    } else if (cause instanceof Cause.NodeWithoutAddress
        || cause instanceof Cause.NoEndpointSlice) {
      return "Incomplete";
    }
    return cause instanceof Cause.Contested ? "Contested" : "Backoff";
  }

  /** The cause of one pool in some words, with its place in line. */
  private static final class Brief {
    private Brief() {}

    static String of(Cause cause, PoolStatus pool, Optional<InLine> line) {
      String leaving = pool.difference().down() > 0 ? "Node leaving: " : "";
      String place =
          line.map(in -> "; " + ordinal(throttled(cause) ? in.of() : in.place()) + " in line")
              .orElse("");
      String words = words(cause);
      return (leaving.isEmpty() ? sentence(words) : leaving + words) + place;
    }

    private static boolean throttled(Cause cause) {
      return cause instanceof Cause.Throttled;
    }

    /** The reason in a person's own words, if there is one. */
    private static String words(Cause cause) {
      String why = CauseText.parameters(cause).getOrDefault("why", "");
      return why.isEmpty() ? CauseText.of(cause).because() : why;
    }

    private static String sentence(String words) {
      return words.isEmpty()
          ? ""
          : words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
    }

    private static String ordinal(int number) {
      boolean teen = number % 100 > 10 && number % 100 < 14;
      int last = teen ? 0 : number % 10;
      return number + (last < 1 || last > 3 ? "th" : List.of("st", "nd", "rd").get(last - 1));
    }
  }
}
