package io.poolkeeper.status;

import io.poolkeeper.model.AdminState;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.pool.PoolStatus.State;
import io.poolkeeper.ratelimit.Obstacle;
import io.poolkeeper.status.Cause.NotManaged;
import io.poolkeeper.status.Surroundings.InLine;
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
  public static PoolLine of(PoolStatus status, Surroundings around) {
    Optional<Cause> cause = Diagnosis.of(status, around);
    Optional<InLine> inLine = around.waiting(status);
    Optional<Instant> permit = inLine.flatMap(line -> estimate(status, line, around));
    Optional<Instant> since =
        status.activity().pendingSince().or(() -> around.recent().log(status.id()).behind());
    Optional<Instant> until =
        permit.or(() -> inLine.isPresent() ? inLine.get().waiting().until() : ends(status, around));
    boolean waits = cause.isPresent() && status.state() != State.OPTED_OUT;
    return new PoolLine(
        status,
        cause,
        label(status, cause),
        cause.map(why -> brief(why, status, inLine)).orElse(""),
        waits ? since : Optional.empty(),
        waits ? until : Optional.empty(),
        permit.isPresent() ? Exactness.ESTIMATE : exactness(status, cause));
  }

  /** Whether a managed pool differs from what is desired. */
  public boolean behind() {
    return cause.isPresent() && !(cause.get() instanceof NotManaged);
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
    return line.waiting().why() == Obstacle.TURN
        ? around
            .meanWrite(status.id())
            .map(mean -> around.now().plus(mean.multipliedBy(line.place())))
        : Optional.empty();
  }

  /** When the present state ends; of an attempt by the mean of others. */
  private static Optional<Instant> ends(PoolStatus status, Surroundings around) {
    return attempts(status)
        ? around
            .meanWrite(status.id())
            .flatMap(mean -> status.picture().attemptSince().map(since -> since.plus(mean)))
        : status.activity().until();
  }

  /** Whether the pool is being read or written now. */
  public boolean attempts() {
    return attempts(status);
  }

  private static boolean attempts(PoolStatus status) {
    return status.state() == State.READING || status.state() == State.WRITING;
  }

  private static Exactness exactness(PoolStatus status, Optional<Cause> cause) {
    if (attempts(status)) {
      return Exactness.ESTIMATE;
    }
    boolean throttled = cause.isPresent() && cause.get() instanceof Cause.Throttled;
    return status.state() == State.WAITING && !throttled ? Exactness.LATEST : Exactness.EXACT;
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
    return switch (cause) {
      case Cause.Batching batching -> "Batching";
      case Cause.WouldWrite would -> "Would write";
      case Cause.WatchLost lost -> "Watch lost";
      case Cause.LeftAlone alone -> "Left alone";
      case Cause.NodeWithoutAddress node -> "Incomplete";
      case Cause.NoEndpointSlice none -> "Incomplete";
      case Cause.Contested contested -> "Contested";
      default -> "Backoff";
    };
  }

  /** The cause in some words, with the pool's place in line. */
  private static String brief(Cause cause, PoolStatus pool, Optional<InLine> inLine) {
    // A check or a person may have given the reason in words of their own.
    String own = CauseText.parameters(cause).getOrDefault("why", "");
    String words = own.isEmpty() ? CauseText.of(cause).because() : own;
    boolean throttled = cause instanceof Cause.Throttled;
    String place =
        inLine
            .map(line -> throttled ? line.placeAmongAll() : line.place())
            .map(number -> "; " + ordinal(number) + " in line")
            .orElse("");
    boolean drains = pool.difference().down() > 0;
    return (drains ? "Node leaving: " + words : sentence(words)) + place;
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
