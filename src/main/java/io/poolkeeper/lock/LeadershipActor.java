package io.poolkeeper.lock;

import io.poolkeeper.actor.CoreActor;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which replica acts: stands for election and watches the time. Policy: {@link LeadershipCore}. */
public final class LeadershipActor
    extends CoreActor<LeadershipEvent, Leadership, LeadershipEvent, LeadershipEffect> {
  private static final Logger log = LoggerFactory.getLogger(LeadershipActor.class);

  /** The policy leaves nothing to chance. */
  private static final RandomGenerator NO_RANDOM =
      () -> {
        throw new IllegalStateException("the leadership asked for a random number");
      };

  private final Consumer<Leadership> shown;
  private final Runnable lead;
  private final Consumer<String> resign;

  /**
   * A replica on standby.
   *
   * @param clock monotonic
   * @param shown is given each change; what it keeps may be older than the truth, never younger
   * @param lead is run when this replica begins to lead
   * @param resign hears why the process must end
   */
  public static Behavior<LeadershipEvent> create(
      LeaderElection election,
      Duration renewDeadline,
      InstantSource clock,
      Consumer<Leadership> shown,
      Runnable lead,
      Consumer<String> resign) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> {
                  ActorRef<LeadershipEvent> self = context.getSelf();
                  election.start(
                      sentAt -> self.tell(new LeadershipEvent.Renewed(sentAt)),
                      why -> self.tell(new LeadershipEvent.Ended(why)));
                  var core = new LeadershipCore(renewDeadline);
                  return new LeadershipActor(context, timers, core, clock, shown, lead, resign);
                }));
  }

  private LeadershipActor(
      ActorContext<LeadershipEvent> context,
      TimerScheduler<LeadershipEvent> timers,
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
    this.shown = shown;
    this.lead = lead;
    this.resign = resign;
  }

  @Override
  public Behavior<LeadershipEvent> onMessage(LeadershipEvent event) {
    decide(event);
    return this;
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
