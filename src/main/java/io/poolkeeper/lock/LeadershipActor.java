package io.poolkeeper.lock;

import io.poolkeeper.actor.CoreActor;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stands for election, begins to lead, and ends the process. Policy: {@link LeadershipCore}. */
public final class LeadershipActor
    extends CoreActor<LeadershipCore.Event, Leadership, LeadershipCore.Effect> {
  /**
   * The collaborators of the leadership.
   *
   * @param clock monotonic
   * @param shown receives each change, before anything acts on it
   * @param lead runs when this replica begins to lead
   * @param resign receives why the process must end
   */
  public record Deps(
      LeaderElection election,
      Duration renewDeadline,
      InstantSource clock,
      Consumer<Leadership> shown,
      Runnable lead,
      Consumer<String> resign) {}

  private static final Logger log = LoggerFactory.getLogger(LeadershipActor.class);

  /** Stand for election from now on; sent once. */
  public enum Stand implements Call<LeadershipCore.Event> {
    INSTANCE
  }

  private final Deps deps;

  /** A replica on standby, which does not stand for election yet. */
  public static Behavior<Command<LeadershipCore.Event>> create(Deps deps) {
    return begin(pekko -> new LeadershipActor(pekko, deps));
  }

  private LeadershipActor(PekkoContext<LeadershipCore.Event> pekko, Deps deps) {
    super(
        pekko,
        new LeadershipCore(deps.renewDeadline()),
        new Leadership.Standby(),
        deps.clock(),
        new LeadershipCore.Event.TimerDue(),
        NO_RANDOM);
    this.deps = deps;
  }

  @Override
  protected void translate(Call<LeadershipCore.Event> stand) {
    ActorRef<Command<LeadershipCore.Event>> self = getContext().getSelf();
    deps.election()
        .start(
            sentAt -> self.tell(new Event<>(new LeadershipCore.Event.Renewed(sentAt))),
            why -> self.tell(new Event<>(new LeadershipCore.Event.Ended(why))));
  }

  @Override
  protected void run(LeadershipCore.Effect effect) {
    // The leadership is shown before anybody acts on it.
    deps.shown().accept(state());
    switch (effect) {
      case LeadershipCore.Effect.Lead lead -> {
        log.info("leader-election=leading");
        deps.lead().run();
      }
      case LeadershipCore.Effect.Resign resign -> deps.resign().accept(resign.why());
    }
  }

  @Override
  protected void report(Leadership before, Leadership after) {
    deps.shown().accept(after);
  }
}
