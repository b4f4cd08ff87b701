package io.poolkeeper.lock;

import io.poolkeeper.actor.CoreActor;
import java.time.InstantSource;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the shared Lease while the turnstile needs it, and gives it back. Policy: {@link
 * SharedLockCore}. It ends when it was asked to stop and the Lease is not ours any more.
 */
public final class SharedLockActor
    extends CoreActor<SharedLockEvent, SharedLockState, SharedLockEffect> {
  private static final Logger log = LoggerFactory.getLogger(SharedLockActor.class);

  private final Leases leases;
  private final LockObserver observer;
  private final Consumer<LeaseStanding> turnstile;
  private final Consumer<String> unreachable;

  /**
   * A lock that nobody holds; it begins with {@link SharedLockEvent.Lead}.
   *
   * @param clock monotonic, that of the Lease's times
   * @param turnstile hears how it stands; must not block
   * @param unreachable hears once why it can be neither read nor written for some time; must not
   *     block
   */
  public static Behavior<Command<SharedLockEvent>> create(
      LockLimits limits,
      Leases leases,
      LockObserver observer,
      Consumer<LeaseStanding> turnstile,
      Consumer<String> unreachable,
      InstantSource clock,
      RandomGenerator random) {
    return begin(
        (context, timers) ->
            new SharedLockActor(
                context, timers, limits, leases, observer, turnstile, unreachable, clock, random));
  }

  private SharedLockActor(
      ActorContext<Command<SharedLockEvent>> context,
      TimerScheduler<Command<SharedLockEvent>> timers,
      LockLimits limits,
      Leases leases,
      LockObserver observer,
      Consumer<LeaseStanding> turnstile,
      Consumer<String> unreachable,
      InstantSource clock,
      RandomGenerator random) {
    super(
        context,
        new SharedLockCore(limits),
        SharedLockState.INITIAL,
        timers,
        clock,
        new SharedLockEvent.TimerDue(),
        random);
    this.leases = leases;
    this.observer = observer;
    this.turnstile = turnstile;
    this.unreachable = unreachable;
  }

  @Override
  protected boolean ended() {
    return state().phase() instanceof LockPhase.Ended;
  }

  @Override
  protected void run(SharedLockEffect effect) {
    switch (effect) {
      case SharedLockEffect.Read read -> call(leases.read());
      case SharedLockEffect.Take take -> call(leases.take(take.read()));
      case SharedLockEffect.GiveBack back -> call(leases.giveBack(back.read()));
      case SharedLockEffect.Taken taken -> observer.taken(taken.waited(), taken.drain());
      case SharedLockEffect.Lost lost -> log.warn("lease=lost {}", holder(lost.now()));
      case SharedLockEffect.LeftBehind left ->
          log.warn("lease=left-behind action=\"give it back\" {}", holder(left.found()));
      case SharedLockEffect.Unreachable away -> unreachable.accept(away.error());
    }
  }

  private void call(CompletionStage<LeaseAnswer> call) {
    getContext().pipeToSelf(call, SharedLockActor::answered);
  }

  private static Command<SharedLockEvent> answered(
      @Nullable LeaseAnswer answer, @Nullable Throwable failure) {
    return new Event<>(
        new SharedLockEvent.Answered(
            answer == null ? new LeaseAnswer.Failed(String.valueOf(failure)) : answer));
  }

  private static String holder(LeaseView view) {
    return view.holder().map(found -> "holder=\"%s\"".formatted(found.identity())).orElse("");
  }

  @Override
  protected void report(SharedLockState before, SharedLockState after) {
    LeaseStanding standing = after.standing();
    if (standing.equals(before.standing())) {
      return;
    }
    turnstile.accept(standing);
    switch (standing) {
      case LeaseStanding.Held held -> log.debug("lease=held session={}", held.session());
      case LeaseStanding.Free free -> log.debug("lease=free");
      case LeaseStanding.Busy busy -> log.info("lease=busy holder=\"{}\"", busy.holder());
      case LeaseStanding.Unreachable away ->
          log.warn("lease=unreachable error=\"{}\"", away.error());
    }
  }
}
