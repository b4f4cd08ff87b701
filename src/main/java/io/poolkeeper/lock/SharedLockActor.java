package io.poolkeeper.lock;

import io.poolkeeper.actor.CoreActor;
import java.time.InstantSource;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.apache.pekko.actor.typed.Behavior;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the shared Lease while the rate limiter needs it, and gives it back. Policy: {@link
 * SharedLockCore}. The actor ends when it was asked to stop and the Lease is not ours any more.
 */
public final class SharedLockActor
    extends CoreActor<SharedLockEvent, SharedLockState, SharedLockEffect> {
  /**
   * The collaborators of the lock.
   *
   * @param observer receives each effect that is run; must not block
   * @param rateLimiter receives the standing of the Lease; must not block
   * @param unreachable receives once why the Lease can be neither read nor written for some time;
   *     must not block
   * @param clock monotonic, that of the Lease's times
   */
  public record Deps(
      LockLimits limits,
      Leases leases,
      Consumer<SharedLockEffect> observer,
      Consumer<LeaseStanding> rateLimiter,
      Consumer<String> unreachable,
      InstantSource clock,
      RandomGenerator random) {}

  private static final Logger log = LoggerFactory.getLogger(SharedLockActor.class);

  private final Deps deps;

  /** A lock that nobody holds; it begins with {@link SharedLockEvent.Lead}. */
  public static Behavior<Command<SharedLockEvent>> create(Deps deps) {
    return begin(pekko -> new SharedLockActor(pekko, deps));
  }

  private SharedLockActor(PekkoContext<SharedLockEvent> pekko, Deps deps) {
    super(
        pekko,
        new SharedLockCore(deps.limits()),
        SharedLockState.INITIAL,
        deps.clock(),
        new SharedLockEvent.TimerDue(),
        deps.random());
    this.deps = deps;
  }

  @Override
  protected boolean ended() {
    return state().phase() instanceof LockPhase.Ended;
  }

  @Override
  protected void run(SharedLockEffect effect) {
    deps.observer().accept(effect);
    switch (effect) {
      case SharedLockEffect.Read read -> call(deps.leases().read());
      case SharedLockEffect.Take take -> call(deps.leases().take(take.read()));
      case SharedLockEffect.GiveBack back -> call(deps.leases().giveBack(back.read()));
      case SharedLockEffect.Taken onlyMeasured -> {}
      case SharedLockEffect.Lost lost -> log.warn("lease=lost holder=\"{}\"", holder(lost.now()));
      case SharedLockEffect.LeftBehind left ->
          log.warn("lease=left-behind action=\"give it back\" holder=\"{}\"", holder(left.found()));
      case SharedLockEffect.Unreachable away -> deps.unreachable().accept(away.error());
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
    return view.holder().map(found -> found.identity()).orElse("none");
  }

  @Override
  protected void report(SharedLockState before, SharedLockState after) {
    LeaseStanding standing = after.standing();
    if (standing.equals(before.standing())) {
      return;
    }
    deps.rateLimiter().accept(standing);
    switch (standing) {
      case LeaseStanding.Held held -> log.debug("lease=held session={}", held.session());
      case LeaseStanding.Free free -> log.debug("lease=free");
      case LeaseStanding.Busy busy -> log.info("lease=busy holder=\"{}\"", busy.holder());
      case LeaseStanding.Unreachable away ->
          log.warn("lease=unreachable error=\"{}\"", away.error());
    }
  }
}
