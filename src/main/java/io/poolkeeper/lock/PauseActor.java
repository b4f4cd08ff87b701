package io.poolkeeper.lock;

import io.poolkeeper.actor.CoreActor;
import io.poolkeeper.lock.PauseCore.Effect;
import io.poolkeeper.lock.PauseCore.State;
import io.poolkeeper.model.ObjectEvent;
import java.time.InstantSource;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.Behavior;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Pauses all writers as annotations of the leader's Lease say. Policy: {@link PauseCore}. */
public final class PauseActor extends CoreActor<PauseCore.Event, State, Effect> {
  private static final Logger log = LoggerFactory.getLogger(PauseActor.class);

  private final Consumer<PauseView> shown;
  private final Runnable lead;
  private final Consumer<ObjectEvent> events;

  /**
   * Nothing is paused yet.
   *
   * @param clock monotonic
   * @param shown receives each change
   * @param lead is run when this replica begins to lead, after what is paused was shown
   */
  public static Behavior<Command<PauseCore.Event>> create(
      InstantSource clock, Consumer<PauseView> shown, Runnable lead, Consumer<ObjectEvent> events) {
    return begin(pekko -> new PauseActor(pekko, clock, shown, lead, events));
  }

  private PauseActor(
      PekkoContext<PauseCore.Event> pekko,
      InstantSource clock,
      Consumer<PauseView> shown,
      Runnable lead,
      Consumer<ObjectEvent> events) {
    super(pekko, new PauseCore(), State.INITIAL, clock, new PauseCore.Event.TimerDue(), NO_RANDOM);
    this.shown = shown;
    this.lead = lead;
    this.events = events;
  }

  @Override
  protected void run(Effect effect) {
    switch (effect) {
      case Effect.Show show -> {
        show.view()
            .pause()
            .ifPresentOrElse(
                pause -> log.info("pause=begun why=\"{}\"", pause.text()),
                () -> log.info("pause=none"));
        show.view().ignored().ifPresent(why -> log.warn("pause=ignored why=\"{}\"", why));
        shown.accept(show.view());
      }
      case Effect.Warn warn ->
          events.accept(
              new ObjectEvent(warn.lease(), ObjectEvent.Type.WARNING, warn.reason(), warn.text()));
      case Effect.Lead leads -> lead.run();
    }
  }

  @Override
  protected void report(State before, State after) {}
}
