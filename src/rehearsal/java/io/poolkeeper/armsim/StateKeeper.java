package io.poolkeeper.armsim;

import io.poolkeeper.armsim.SimActor.Command;
import io.poolkeeper.armsim.SimActor.SaveDue;
import io.poolkeeper.armsim.SimActor.Saved;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
 * Saves the state to the file, if there is one, in the background. A change with a waiting caller
 * is saved at once or with the next save; any other one, and one whose save failed, within {@link
 * #IDLE}. The begin and end of a failure are logged once.
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

  /** Begins with nothing to save; {@code state} returns a snapshot of the state. */
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

  void changed() {
    if (file.isPresent()) {
      commit.changed();
      if (!timers.isTimerActive(TIMER)) {
        timers.startSingleTimer(TIMER, new SaveDue(), IDLE);
      }
    }
  }

  void whenSaved(Consumer<Optional<String>> onSaved) {
    commit.whenSaved(onSaved);
    if (commit.awaited()) {
      save();
    }
  }

  /** Saves the changes, unless a save is running: its end calls this again. */
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

  void acknowledge(ActorRef<StatusReply<Done>> replyTo) {
    whenSaved(
        failure ->
            replyTo.tell(
                failure
                    .map(StatusReply::<Done>error)
                    .orElseGet(() -> StatusReply.success(Done.getInstance()))));
  }

  void end(ActorRef<StatusReply<Done>> replyTo) {
    whenSaved(failure -> ended = true);
    acknowledge(replyTo);
  }

  boolean ended() {
    return ended;
  }

  /**
   * Decides when the state is saved: one save at a time, and changes meanwhile share the next one.
   * A waiting caller is notified when its changes were saved or the save failed. After a failure
   * the changes remain unsaved. Pure: the saves are done elsewhere. Confined to one thread; as many
   * callers may wait as there are connections.
   */
  static final class GroupCommit {
    private List<Consumer<Optional<String>>> next = new ArrayList<>();
    private List<Consumer<Optional<String>>> inSave = new ArrayList<>();
    private boolean unsaved;
    private boolean saving;

    void changed() {
      unsaved = true;
    }

    /**
     * Notifies, now or later, whether all changes so far are saved; {@code onSaved} gets the
     * failure, if there is one.
     */
    void whenSaved(Consumer<Optional<String>> onSaved) {
      if (unsaved) {
        next.add(onSaved);
      } else if (saving) {
        inSave.add(onSaved);
      } else {
        onSaved.accept(Optional.empty());
      }
    }

    /** Whether a caller waits for a save that has not begun. */
    boolean awaited() {
      return !next.isEmpty();
    }

    /** Begins a save of the current state; false if one is running or there is nothing to save. */
    boolean begins() {
      if (saving || !unsaved) {
        return false;
      }
      saving = true;
      unsaved = false;
      inSave = next;
      next = new ArrayList<>();
      return true;
    }

    void ended(Optional<String> failure) {
      saving = false;
      unsaved |= failure.isPresent();
      List<Consumer<Optional<String>>> waited = inSave;
      inSave = new ArrayList<>();
      waited.forEach(onSaved -> onSaved.accept(failure));
    }
  }
}
