package io.poolkeeper.lock;

import io.poolkeeper.core.Core;
import io.poolkeeper.core.Decision;
import io.poolkeeper.model.ObjectReference;
import io.poolkeeper.model.Pause;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * When all is paused, and when a pause ends by itself. Invariant: a replica that begins to lead
 * first applies the pause of the Lease that it has read, so that it writes nothing in between.
 */
public final class PauseCore implements Core<PauseCore.State, PauseCore.Event, PauseCore.Effect> {
  /**
   * The state of pauses.
   *
   * @param read the last version of the Lease
   * @param view what its annotations mean now
   * @param leads whether this replica leads
   */
  public record State(Event.Read read, PauseView view, boolean leads) {
    static final State INITIAL = new State(Event.Read.NOTHING, PauseView.NONE, false);
  }

  public sealed interface Event {
    /**
     * The leader's Lease as the watch or the election has read it.
     *
     * @param version of the Lease, which grows with each write of it; 0 if it is no number
     * @param renewed when the leader has renewed it, by its clock
     * @param annotations those that pause, of all that it has
     * @param manager the field manager that wrote them, by its own word; empty if nobody knows
     * @param wall the time of day when they were read
     */
    record Read(
        ObjectReference lease,
        long version,
        Instant renewed,
        Map<String, String> annotations,
        String manager,
        Instant wall)
        implements Event {
      /** No Lease was read yet. */
      public static final Read NOTHING =
          new Read(ObjectReference.ofLease("", ""), 0, Instant.MIN, Map.of(), "", Instant.EPOCH);

      public Read {
        annotations = PauseAnnotations.own(annotations);
      }

      /**
       * Whether this version is as new as another one. After a restore of etcd numbers are lower.
       */
      public boolean follows(Read other) {
        return version >= other.version || renewed.isAfter(other.renewed);
      }
    }

    record Lead() implements Event {}

    record TimerDue() implements Event {}
  }

  public sealed interface Effect {
    /** Tell everybody what is paused from now on. */
    record Show(PauseView view) implements Effect {}

    /** Warn of a pause, or of an annotation that is none, in an event about the Lease. */
    record Warn(ObjectReference lease, String reason, String text) implements Effect {}

    record Lead() implements Effect {}
  }

  @Override
  public Decision<State, Effect> decide(
      State state, Event event, Instant now, RandomGenerator random) {
    return switch (event) {
      case Event.Read read -> read(state, read, now);
      case Event.Lead lead -> lead(state);
      case Event.TimerDue due ->
          wakeAt(state).filter(ends -> !ends.isAfter(now)).isPresent()
              ? shown(state, state.read(), new PauseView(Optional.empty(), state.view().ignored()))
              : Decision.of(state);
    };
  }

  /** A new leader warns of all that there is, as maybe no replica has done so before. */
  private static Decision<State, Effect> lead(State state) {
    List<Effect> effects = new ArrayList<>(List.of(new Effect.Lead()));
    effects.addAll(
        warnings(state.read().lease(), state.read().manager(), PauseView.NONE, state.view()));
    return new Decision<>(new State(state.read(), state.view(), true), effects);
  }

  private static Decision<State, Effect> read(State state, Event.Read read, Instant now) {
    return !read.follows(state.read()) || read.annotations().equals(state.read().annotations())
        ? Decision.of(state)
        : shown(state, read, PauseAnnotations.read(read.annotations(), now, read.wall()));
  }

  private static Decision<State, Effect> shown(State state, Event.Read read, PauseView view) {
    List<Effect> effects = new ArrayList<>();
    if (!view.equals(state.view())) {
      effects.add(new Effect.Show(view));
      if (state.leads()) {
        // Who has taken annotations away is written nowhere; who had begun is.
        Event.Read begun = view.pause().isPresent() ? read : state.read();
        effects.addAll(warnings(read.lease(), begun.manager(), state.view(), view));
      }
    }
    return new Decision<>(new State(read, view, state.leads()), effects);
  }

  private static List<Effect> warnings(
      ObjectReference lease, String by, PauseView before, PauseView after) {
    List<Effect> effects = new ArrayList<>();
    if (after.ignored().isPresent() && !after.ignored().equals(before.ignored())) {
      effects.add(new Effect.Warn(lease, "PauseIgnored", after.ignored().get()));
    }
    String manager = by.isEmpty() ? "an unknown field manager" : "field manager " + by;
    if (after.pause().isPresent() && !after.pause().equals(before.pause())) {
      String text =
          "All replicas are %s. By %s; the API server's audit log has the user."
              .formatted(after.pause().get().text(), manager);
      effects.add(new Effect.Warn(lease, "PauseBegun", text));
    } else if (after.pause().isEmpty() && before.pause().isPresent()) {
      String text =
          "All replicas go on. The pause until %s was begun by %s."
              .formatted(before.pause().get().until(), manager);
      effects.add(new Effect.Warn(lease, "PauseEnded", text));
    }
    return effects;
  }

  @Override
  public Optional<Instant> wakeAt(State state) {
    return state.view().pause().map(Pause::ends);
  }
}
