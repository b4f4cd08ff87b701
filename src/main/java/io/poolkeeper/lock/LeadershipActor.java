package io.poolkeeper.lock;

import io.poolkeeper.actor.CoreActor;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which replica acts: stands for election and watches the time. Policy: {@link LeadershipCore}. */
public final class LeadershipActor
    extends CoreActor<LeadershipEvent, Leadership, LeadershipEffect> {
  private static final Logger log = LoggerFactory.getLogger(LeadershipActor.class);

  /** Stand for election from now on; sent once. */
  public enum Stand implements Call<LeadershipEvent> {
    INSTANCE
  }

  private final LeaderElection election;
  private final Consumer<Leadership> shown;
  private final Runnable lead;
  private final Consumer<String> resign;

  /**
   * A replica on standby, which does not stand for election yet.
   *
   * @param clock monotonic
   * @param shown is given each change; what it keeps may be older than the truth, never younger
   * @param lead is run when this replica begins to lead
   * @param resign hears why the process must end
   */
  public static Behavior<Command<LeadershipEvent>> create(
      LeaderElection election,
      Duration renewDeadline,
      InstantSource clock,
      Consumer<Leadership> shown,
      Runnable lead,
      Consumer<String> resign) {
    return begin(
        (context, timers) ->
            new LeadershipActor(
                context,
                timers,
                election,
                new LeadershipCore(renewDeadline),
                clock,
                shown,
                lead,
                resign));
  }

  private LeadershipActor(
      ActorContext<Command<LeadershipEvent>> context,
      TimerScheduler<Command<LeadershipEvent>> timers,
      LeaderElection election,
      LeadershipCore core,
      InstantSource clock,
      Consumer<Leadership> shown,
      Runnable lead,
      Consumer<String> resign) {
    super(
        context,
        core,
        new Leadership.Standby(),
        timers,
        clock,
        new LeadershipEvent.TimerDue(),
        NO_RANDOM);
    this.election = election;
    this.shown = shown;
    this.lead = lead;
    this.resign = resign;
  }

  @Override
  protected void translate(Call<LeadershipEvent> stand) {
    ActorRef<Command<LeadershipEvent>> self = getContext().getSelf();
    election.start(
        sentAt -> self.tell(new Event<>(new LeadershipEvent.Renewed(sentAt))),
        why -> self.tell(new Event<>(new LeadershipEvent.Ended(why))));
  }

  @Override
  protected void run(LeadershipEffect effect) {
    // Before anybody acts on it.
    shown.accept(state());
    switch (effect) {
      case LeadershipEffect.Lead any -> {
        log.info("leader-election=leading");
        lead.run();
      }
      case LeadershipEffect.Resign why -> resign.accept(why.why());
    }
  }

  @Override
  protected void report(Leadership before, Leadership after) {
    shown.accept(after);
  }
}
