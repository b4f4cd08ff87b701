package io.poolkeeper.lock;

import static io.poolkeeper.lock.LockDriver.LIMITS;
import static io.poolkeeper.lock.LockDriver.T0;
import static io.poolkeeper.lock.LockDriver.UPDATE;
import static io.poolkeeper.lock.LockDriver.free;
import static io.poolkeeper.lock.LockDriver.ours;
import static io.poolkeeper.lock.LockDriver.theirs;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.actor.CoreActor;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.testkit.typed.Effect;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The shared lock's actor: what it calls, whom it tells, when it ends. */
class SharedLockActorTest {
  private final List<String> calls = new ArrayList<>();
  private final List<String> told = new ArrayList<>();
  private final List<LeaseStanding> standings = new ArrayList<>();
  private final List<SharedLockEffect> ran = new ArrayList<>();
  private CompletableFuture<LeaseAnswer> call = new CompletableFuture<>();
  private Instant now = T0;

  private final Leases leases =
      new Leases() {
        @Override
        public CompletionStage<LeaseAnswer> read() {
          return begun("read");
        }

        @Override
        public CompletionStage<LeaseAnswer> take(LeaseView read) {
          return begun("take " + read.version());
        }

        @Override
        public CompletionStage<LeaseAnswer> giveBack(LeaseView read) {
          return begun("give back " + read.version());
        }

        private CompletionStage<LeaseAnswer> begun(String what) {
          calls.add(what);
          call = new CompletableFuture<>();
          return call;
        }
      };

  private final BehaviorTestKit<CoreActor.Command<SharedLockEvent>> lock =
      BehaviorTestKit.create(
          SharedLockActor.create(
              new SharedLockActor.Deps(
                  LIMITS, leases, ran::add, standings::add, told::add, () -> now, new Random(1))));

  @BeforeEach
  void leads() {
    run(new SharedLockEvent.Lead());
    answer(new LeaseAnswer.Is(free(10)));
  }

  private void run(SharedLockEvent event) {
    lock.run(new CoreActor.Event<>(event));
  }

  private void answer(LeaseAnswer with) {
    call.complete(with);
    lock.runOne();
  }

  @Test
  void demanded_takesTellsAndGivesBack() {
    run(new SharedLockEvent.Demanded(UPDATE));
    now = T0.plusMillis(20);
    answer(new LeaseAnswer.Is(ours(11)));
    run(new SharedLockEvent.Demanded(new LeaseDemand(false, false, 1)));
    answer(new LeaseAnswer.Is(free(12)));

    assertThat(calls).containsExactly("read", "take 10", "give back 11");
    Instant tail = T0.plusSeconds(5);
    assertThat(standings)
        .containsExactly(
            new LeaseStanding.Held(1, tail, tail, T0.plusSeconds(15)), new LeaseStanding.Free());
    assertThat(ran).contains(new SharedLockEffect.Taken(Duration.ofMillis(20), false));
  }

  @Test
  void demanded_busy_setsOneTimerForTheRecheck() {
    run(new SharedLockEvent.Seen(theirs(11)));
    lock.getAllEffects();

    run(new SharedLockEvent.Demanded(UPDATE));

    assertThat(lock.getAllEffects())
        .filteredOn(Effect.TimerScheduled.class::isInstance)
        .extracting(effect -> ((Effect.TimerScheduled<?>) effect).duration())
        .containsExactly(Duration.ofSeconds(5));
  }

  @Test
  void call_thatFailsAgainstItsPromise_isAFailure() {
    run(new SharedLockEvent.Demanded(UPDATE));
    call.completeExceptionally(new IllegalStateException("broken"));
    lock.runOne();

    assertThat(standings)
        .containsExactly(
            new LeaseStanding.Unreachable(
                "java.lang.IllegalStateException: broken", T0, Optional.empty()));
  }

  @Test
  void stop_endsWhenTheLeaseIsBack() {
    run(new SharedLockEvent.Demanded(UPDATE));
    answer(new LeaseAnswer.Is(ours(11)));
    run(new SharedLockEvent.Stop());
    assertThat(lock.isAlive()).isTrue();

    answer(new LeaseAnswer.Is(free(12)));

    assertThat(lock.isAlive()).isFalse();
  }
}
