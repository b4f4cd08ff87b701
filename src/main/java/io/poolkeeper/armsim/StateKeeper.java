package io.poolkeeper.armsim;

import io.poolkeeper.armsim.SimActor.Command;
import io.poolkeeper.armsim.SimActor.SaveDue;
import io.poolkeeper.armsim.SimActor.Saved;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.apache.pekko.pattern.StatusReply;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the state file up with the state, if there is one, beside the actor's own work. A change
 * that somebody waits for is saved at once or with the next save; any other one, and one that the
 * disk refused, within {@link #IDLE}. A disk that goes bad or becomes well is logged once.
 */
final class StateKeeper {
  private static final Logger LOG = LoggerFactory.getLogger(StateKeeper.class);
  private static final Duration IDLE = Duration.ofSeconds(1);
  private static final String TIMER = "save";

  private final GroupCommit commit = new GroupCommit();
  private final ActorContext<Command> context;
  private final TimerScheduler<Command> timers;
  private final Executor disk;
  private final Optional<StateFile> file;
  private final Supplier<SavedState> state;
  private boolean failing;
  private boolean ended;

  /**
   * Begins with nothing to save.
   *
   * @param state a picture of the state as it is
   */
  StateKeeper(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      Optional<StateFile> file,
      Supplier<SavedState> state) {
    this.context = context;
    this.timers = timers;
    this.disk = context.getSystem().dispatchers().lookup(DispatcherSelector.blocking());
    this.file = file;
    this.state = state;
  }

  /** Something changed. */
  void changed() {
    if (file.isPresent()) {
      commit.changed();
      if (!timers.isTimerActive(TIMER)) {
        timers.startSingleTimer(TIMER, new SaveDue(), IDLE);
      }
    }
  }

  /**
   * Tells, once it is known, whether everything is saved that changed so far.
   *
   * @param told is given why not, or nothing
   */
  void whenSaved(Consumer<Optional<String>> told) {
    commit.whenSaved(told);
    if (commit.awaited()) {
      save();
    }
  }

  /** Saves what has changed, unless a save is running, whose end comes back here. */
  void save() {
    if (file.isPresent() && commit.begins()) {
      timers.cancel(TIMER);
      SavedState picture = state.get();
      context.pipeToSelf(
          CompletableFuture.runAsync(() -> file.get().save(picture), disk),
          (done, failed) ->
              new Saved(Optional.ofNullable(failed).map(why -> StateFile.reason(why))));
    }
  }

  /** A save has ended. */
  void saved(Saved saved) {
    boolean failed = saved.failure().isPresent();
    if (failed != failing) {
      failing = failed;
      if (failed) {
        LOG.error("state not saved error=\"{}\"", saved.failure().get());
      } else {
        LOG.info("state saved again");
      }
    }
    commit.ended(saved.failure());
    if (commit.awaited()) {
      save();
    } else if (failed) {
      timers.startSingleTimer(TIMER, new SaveDue(), IDLE);
    }
  }

  /** The same as a reply. */
  void acknowledge(ActorRef<StatusReply<Done>> replyTo) {
    whenSaved(
        failure ->
            replyTo.tell(
                failure
                    .map(StatusReply::<Done>error)
                    .orElseGet(() -> StatusReply.success(Done.getInstance()))));
  }

  /** The same, and that is all: once it is known there will be nothing left to do. */
  void end(ActorRef<StatusReply<Done>> replyTo) {
    whenSaved(failure -> ended = true);
    acknowledge(replyTo);
  }

  boolean ended() {
    return ended;
  }
}
