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
     * The leader's Lease as somebody has read it; the watch and the election both do.
     *
     * @param version of the Lease, which grows with each write of it; 0 if it is no number
     * @param annotations those that pause, of all that it has
     * @param wall the time of day when they were read
     */
    record Read(ObjectReference lease, long version, Map<String, String> annotations, Instant wall)
        implements Event {
      /** No Lease was read yet. */
      public static final Read NOTHING =
          new Read(ObjectReference.ofLease("", ""), 0, Map.of(), Instant.EPOCH);

      public Read {
        annotations = PauseAnnotations.own(annotations);
      }

      /** Whether this version is as new as another one. */
      public boolean follows(Read other) {
        return version >= other.version;
      }
    }

    record Lead() implements Event {}

    record TimerDue() implements Event {}
  }

  public sealed interface Effect {
    /** Tell everybody what is paused from now on. */
    record Show(PauseView view) implements Effect {}

    /** Warn of an ignored annotation, in an event about the Lease. */
    record Warn(ObjectReference lease, String why) implements Effect {}

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
              ? shown(state, new PauseView(Optional.empty(), state.view().ignored()))
              : Decision.of(state);
    };
  }

  /** A new leader warns of an ignored annotation, as maybe no replica has done so before. */
  private static Decision<State, Effect> lead(State state) {
    List<Effect> effects = new ArrayList<>(List.of(new Effect.Lead()));
    effects.addAll(warnings(state.read(), state.view()));
    return new Decision<>(new State(state.read(), state.view(), true), effects);
  }

  private static Decision<State, Effect> read(State state, Event.Read read, Instant now) {
    if (!read.follows(state.read()) || read.annotations().equals(state.read().annotations())) {
      return Decision.of(state);
    }
    PauseView view = PauseAnnotations.read(read.annotations(), now, read.wall());
    Decision<State, Effect> shown = shown(new State(read, state.view(), state.leads()), view);
    List<Effect> effects = new ArrayList<>(shown.effects());
    if (state.leads() && !view.ignored().equals(state.view().ignored())) {
      effects.addAll(warnings(read, view));
    }
    return new Decision<>(shown.state(), effects);
  }

  private static List<Effect> warnings(Event.Read read, PauseView view) {
    return view.ignored().map(why -> (Effect) new Effect.Warn(read.lease(), why)).stream().toList();
  }

  private static Decision<State, Effect> shown(State state, PauseView view) {
    State next = new State(state.read(), view, state.leads());
    return view.equals(state.view()) ? Decision.of(next) : Decision.of(next, new Effect.Show(view));
  }

  @Override
  public Optional<Instant> wakeAt(State state) {
    return state.view().pause().map(Pause::ends);
  }
}
