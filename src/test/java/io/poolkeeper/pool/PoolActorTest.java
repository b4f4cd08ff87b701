package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.LIMITS;
import static io.poolkeeper.pool.PoolFixtures.MIN_INTERVAL;
import static io.poolkeeper.pool.PoolFixtures.POOL;
import static io.poolkeeper.pool.PoolFixtures.T0;
import static io.poolkeeper.pool.PoolFixtures.WEB;
import static io.poolkeeper.pool.PoolFixtures.WEB_1;
import static io.poolkeeper.pool.PoolFixtures.WINDOW;
import static io.poolkeeper.pool.PoolFixtures.addresses;
import static io.poolkeeper.pool.PoolFixtures.exactly;
import static io.poolkeeper.pool.PoolFixtures.leaving;
import static io.poolkeeper.pool.PoolFixtures.pool;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.ObjectEvent;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.RetryReason;
import io.poolkeeper.turnstile.Lane;
import io.poolkeeper.turnstile.Priority;
import io.poolkeeper.turnstile.TurnstileActor;
import io.poolkeeper.turnstile.TurnstileFixtures;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.FishingOutcomes;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The pool's actor with a real turnstile, a map for ARM, and a clock that stands still. */
class PoolActorTest {
  private final ActorTestKit kit = VirtualTime.testKit();
  private final VirtualTime time = new VirtualTime(kit, T0);
  private final InMemoryArm arm = new InMemoryArm();
  private final Queue<ObjectEvent> events = new ConcurrentLinkedQueue<>();
  private final TestProbe<PoolStatus> statuses = kit.createTestProbe();
  private final TestProbe<Outcome> outcomes = kit.createTestProbe();
  private final TestProbe<Outcome> drains = kit.createTestProbe();
  private final TestProbe<PoolId> postponed = kit.createTestProbe();
  private final TestProbe<PoolReport> owner = kit.createTestProbe();
  private final ActorRef<TurnstileActor.Command> turnstile =
      kit.spawn(
          TurnstileActor.create(
              TurnstileFixtures.WIDE, time, TurnstileFixtures.UNSEEN, TurnstileFixtures::quiet));
  private final ActorRef<PoolEvent> actor = spawn();

  private ActorRef<PoolEvent> spawn() {
    PoolObserver observer =
        new PoolObserver() {
          @Override
          public void changed(PoolStatus status) {
            statuses.getRef().tell(status);
          }

          @Override
          public void finished(PoolId pool, Outcome outcome, Duration took) {
            outcomes.getRef().tell(outcome);
          }

          @Override
          public void adminStatesSet(PoolId pool, Outcome outcome, Duration took) {
            drains.getRef().tell(outcome);
          }

          @Override
          public void retrying(PoolId pool, RetryReason reason) {}

          @Override
          public void found(PoolId pool, Leftover.Kind kind, int entries) {}

          @Override
          public void postponed(PoolId pool) {
            postponed.getRef().tell(pool);
          }

          @Override
          public void forgotten(PoolId pool) {}
        };
    PoolDeps deps =
        new PoolDeps(
            arm,
            turnstile,
            events::add,
            observer,
            time,
            () -> new PoolFixtures.Drawing(0.5),
            LIMITS);
    return kit.spawn(PoolActor.create(POOL, deps, owner.getRef()::tell));
  }

  @BeforeEach
  void armHasThePool() {
    arm.show(pool("n4=10.0.0.4"));
  }

  @AfterEach
  void shutDown() {
    kit.shutdownTestKit();
  }

  private PoolStatus expectState(String state) {
    PoolStatus status = statuses.receiveMessage();
    assertThat(status.state()).isEqualTo(state);
    return status;
  }

  /** A change is gathered, and its timer is set. */
  private void change() {
    actor.tell(new PoolEvent.Desire(WEB_1, exactly("n5=10.0.0.5")));
    assertThat(expectState("Gathering").until()).contains(time.instant().plus(WINDOW));
  }

  private void expectAttempt() {
    expectState("Waiting");
    expectState("Reading");
  }

  @Test
  void aChangeIsWrittenAfterTheWindowAndTold() {
    change();

    time.pass(WINDOW);

    expectAttempt();
    expectState("Writing");
    PoolStatus done = expectState("Idle");
    assertThat(done.inPool()).isEqualTo(addresses("10.0.0.5"));
    assertThat(done.writes()).isEqualTo(1);
    assertThat(arm.addresses(POOL)).isEqualTo(addresses("10.0.0.5"));
    outcomes.expectMessage(Outcome.UPDATED);
    assertThat(events)
        .extracting(ObjectEvent::reason)
        .containsExactly("LoadBalancerBackendPoolUpdated");
  }

  private void expectGatheringUntil(Instant due) {
    statuses.fishForMessage(
        Duration.ofSeconds(3),
        status ->
            status.state().equals("Gathering") && status.until().equals(Optional.of(due))
                ? FishingOutcomes.complete()
                : FishingOutcomes.continueAndIgnore());
  }

  @Test
  void aSecondChangeWaitsForTheSpacing() {
    change();
    time.pass(WINDOW);
    outcomes.expectMessage(Outcome.UPDATED);
    actor.tell(new PoolEvent.Desire(WEB_1, exactly("n6=10.0.0.6")));
    expectGatheringUntil(T0.plus(WINDOW).plus(MIN_INTERVAL));

    time.pass(MIN_INTERVAL.minus(Duration.ofSeconds(1)));
    statuses.expectNoMessage(Duration.ZERO);
    time.pass(Duration.ofSeconds(1));

    expectAttempt();
    assertThat(arm.gets()).isEqualTo(2);
  }

  @Test
  void aSecondChangeWaitsForTheSpacingThatABindingSays() {
    Duration tenth = Duration.ofMillis(100);
    actor.tell(
        new PoolEvent.Bind(
            1, new Terms(Optional.empty(), false, Optional.empty(), Optional.of(tenth))));
    expectState("Idle");
    change();
    time.pass(WINDOW);
    outcomes.expectMessage(Outcome.UPDATED);
    actor.tell(new PoolEvent.Desire(WEB_1, exactly("n6=10.0.0.6")));

    expectGatheringUntil(T0.plus(WINDOW).plus(tenth));

    time.pass(tenth);

    expectAttempt();
  }

  @Test
  void aNodesStateWaitsForTheChecksIfDrainsAreHeld_andIsWrittenWhenTheyAreReady() {
    actor.tell(new PoolEvent.Bind(1, PoolFixtures.DRAINS_HELD));
    actor.tell(new PoolEvent.Observed(pool("n4=10.0.0.4"), T0));
    actor.tell(new PoolEvent.NodesOutOfService(leaving(1, "n4"), T0));
    statuses.fishForMessage(
        Duration.ofSeconds(3),
        status ->
            status.state().equals("Held")
                ? FishingOutcomes.complete()
                : FishingOutcomes.continueAndIgnore());
    time.pass(Duration.ofHours(1));
    assertThat(arm.gets()).isZero();

    actor.tell(new PoolEvent.Bind(2, Terms.NONE));

    drains.expectMessage(Outcome.UPDATED);
    assertThat(arm.view(POOL).down()).isEqualTo(addresses("10.0.0.4"));
  }

  @Test
  void aPoolThatIsDamagedForTheThirdTimeIsCountedAsPostponed() {
    change();
    time.pass(WINDOW);
    outcomes.expectMessage(Outcome.UPDATED);
    owner.expectMessage(PoolReport.Sign.LOOK_WANTED);
    for (int repairs = 0; repairs < 2; repairs++) {
      actor.tell(new PoolEvent.Observed(pool(), time.instant()));
      statuses.fishForMessage(
          Duration.ofSeconds(3),
          status ->
              status.state().equals("Gathering")
                  ? FishingOutcomes.complete()
                  : FishingOutcomes.continueAndIgnore());
      arm.show(pool());
      time.pass(MIN_INTERVAL);
      outcomes.expectMessage(Outcome.UPDATED);
      owner.expectMessage(PoolReport.Sign.LOOK_WANTED);
    }
    postponed.expectNoMessage(Duration.ZERO);

    actor.tell(new PoolEvent.Observed(pool(), time.instant()));

    postponed.expectMessage(POOL);
  }

  @Test
  void aDrainIsReportedWhetherItIsWrittenOrNot() {
    actor.tell(new PoolEvent.Observed(pool("n4=10.0.0.4"), time.instant()));
    arm.refusePut(InMemoryArm.refusal(409, "Conflict"));

    actor.tell(new PoolEvent.NodesOutOfService(leaving(1, "n4"), time.instant()));

    drains.expectMessage(Outcome.FAILED);
    time.pass(Duration.ofMinutes(1));
    drains.expectMessage(Outcome.UPDATED);
    outcomes.expectNoMessage(Duration.ZERO);
  }

  @Test
  void aFailureTurnsThePoolDirtyAndAListingTurnsItClean() {
    arm.refuseGet(InMemoryArm.refusal(403, "AuthorizationFailed"));
    change();
    time.pass(WINDOW);

    owner.expectMessage(PoolReport.Sign.FAILING);
    outcomes.expectMessage(Outcome.FAILED);
    assertThat(events)
        .extracting(ObjectEvent::message)
        .containsExactly(
            "Backend pool update failed (non-retriable): HTTP 403 AuthorizationFailed: no."
                + " Poolkeeper also tries again by itself.");
    actor.tell(new PoolEvent.Observed(pool("n5=10.0.0.5"), time.instant()));

    owner.expectMessage(PoolReport.Sign.RECOVERED);
  }

  @Test
  void aPoolThatIsGoneAsksForAListingQuietly() {
    arm.delete(POOL);
    change();

    time.pass(WINDOW);

    owner.expectMessage(PoolReport.Sign.LISTING_WANTED);
    expectAttempt();
    expectState("Idle");
    assertThat(events).isEmpty();
  }

  @Test
  void aDefectEndsTheActorAndFreesItsTurn() {
    arm.breakGet();
    TestProbe<TurnstileActor.Granted> other = kit.createTestProbe();
    change();

    time.pass(WINDOW);

    other.expectTerminated(actor);
    turnstile.tell(
        new TurnstileActor.RequestTurn(
            POOL, other.getRef(), Priority.of(Lane.UPDATE), other.getRef()));
    // Nobody knows what the dead one had begun: the load balancer is looked at a second later, and
    // the turnstile hears of the death in its own time.
    Awaitility.await()
        .untilAsserted(
            () -> {
              time.pass(Duration.ofSeconds(1));
              assertThat(other.receiveMessage(Duration.ofMillis(200)).turn()).isEqualTo(2);
            });
  }

  @Test
  void stopWhileNothingIsInFlightEndsAtOnce() {
    change();

    actor.tell(new PoolEvent.Stop());

    statuses.expectTerminated(actor);
    assertThat(arm.gets()).isZero();
  }

  @Test
  void stopWhileWritingEndsWithTheWriteAndTellsNobody() {
    CompletableFuture<Void> end = arm.holdPuts();
    change();
    time.pass(WINDOW);
    expectAttempt();
    expectState("Writing");

    actor.tell(new PoolEvent.Stop());
    end.complete(null);

    statuses.expectTerminated(actor);
    assertThat(arm.addresses(POOL)).isEqualTo(addresses("10.0.0.5"));
    assertThat(events).isEmpty();
    statuses.expectNoMessage(Duration.ZERO);
  }

  @Test
  void aServiceReleasedWhileItsPoolIsWrittenIsToldNothing() {
    CompletableFuture<Void> end = arm.holdPuts();
    change();
    time.pass(WINDOW);
    expectAttempt();
    expectState("Writing");

    actor.tell(new PoolEvent.Release(WEB));
    assertThat(expectState("Writing").services()).isEmpty();
    end.complete(null);

    expectState("Idle");
    outcomes.expectNoMessage(Duration.ZERO);
    assertThat(events).isEmpty();
  }

  @Test
  void aReleaseCancelsTheTimer() {
    change();
    actor.tell(new PoolEvent.Release(WEB));
    expectState("Idle");

    time.pass(WINDOW);
    actor.tell(new PoolEvent.Desire(WEB_1, exactly("n5=10.0.0.5")));

    expectState("Gathering");
    assertThat(arm.gets()).isZero();
  }
}
