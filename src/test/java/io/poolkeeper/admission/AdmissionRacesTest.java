package io.poolkeeper.admission;

import static io.poolkeeper.admission.CheckState.PENDING;
import static io.poolkeeper.admission.CheckState.READY;
import static io.poolkeeper.admission.CheckState.RETRY;
import static io.poolkeeper.admission.FakeBinding.START;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.admission.Admission.Admitted;
import io.poolkeeper.admission.Admission.Held;
import io.poolkeeper.admission.Admission.Inactive;
import io.poolkeeper.admission.Admission.Rejected;
import io.poolkeeper.admission.BindingsEffect.WriteStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * The integration tests of spec 5's plan and the races of its notes, with a controller, checkers
 * and an API server that refuses a write for an old version.
 */
class AdmissionRacesTest {
  private static Optional<Integer> until(Admission admission) {
    assertThat(admission).isInstanceOf(Held.class);
    return ((Held) admission)
        .until()
        .map(end -> Math.toIntExact(Duration.between(START, end).toSeconds()));
  }

  @Test
  void aCheckerSetsRetryDelays_fromPendingToReady() {
    AdmissionRig rig = AdmissionRig.listing("a");
    rig.retry("a", 10);
    assertThat(until(rig.reconcile())).contains(10);
    rig.pass(10);
    assertThat(until(rig.reconcile())).isEmpty();
    assertThat(rig.state("a")).isEqualTo(PENDING);

    rig.ready("a");

    assertThat(rig.reconcile()).isEqualTo(new Admitted());
    assertThat(rig.retries("a")).isZero();
  }

  @Test
  void severalChecksWithDifferentDelays_areResetTogetherAtTheLatestEnd() {
    AdmissionRig rig = AdmissionRig.listing("one", "five", "ten");
    rig.retry("one", 1);
    rig.retry("five", 5);
    rig.retry("ten", 10);

    for (int second = 0; second < 10; second++) {
      assertThat(until(rig.reconcile())).contains(10);
      assertThat(rig.resets).isZero();
      rig.pass(1);
    }
    rig.reconcile();

    assertThat(rig.resets).isEqualTo(1);
    assertThat(rig.binding.checks())
        .allMatch(check -> check.is(PENDING) && check.retryCount() == 1)
        .allMatch(check -> check.requeueAfterSeconds().isEmpty());
  }

  @Test
  void retryCyclesWithDelays_countUntilTheCheckIsReady() {
    AdmissionRig rig = AdmissionRig.listing("a");
    for (int cycle = 1; cycle <= 4; cycle++) {
      rig.retry("a", cycle);
      rig.reconcile();
      rig.pass(cycle);
      rig.reconcile();
      assertThat(rig.retries("a")).isEqualTo(cycle);
    }
    assertThat(rig.now).isEqualTo(START.plusSeconds(10));

    rig.ready("a");
    rig.reconcile();

    assertThat(rig.retries("a")).isZero();
  }

  @Test
  void lateAnswer_extendsTheWaitThatRuns() {
    AdmissionRig rig = AdmissionRig.listing("a", "b");
    rig.retry("b", 60);
    assertThat(until(rig.reconcile())).contains(60);
    rig.pass(50);

    rig.retry("a", 120);

    assertThat(until(rig.reconcile())).contains(170);
    rig.pass(119);
    rig.reconcile();
    assertThat(rig.resets).isZero();
    rig.pass(1);
    rig.reconcile();
    assertThat(rig.resets).isEqualTo(1);
    assertThat(rig.retries("a")).isEqualTo(1);
    assertThat(rig.retries("b")).isEqualTo(1);
  }

  @Test
  void lateAnswerAfterTheReset_holdsAgainAndIsResetInItsTurn() {
    AdmissionRig rig = AdmissionRig.listing("a", "b");
    rig.retry("b", 60);
    rig.pass(60);
    rig.reconcile();
    assertThat(rig.resets).isEqualTo(1);

    rig.retry("a", 120);
    rig.ready("b");

    assertThat(until(rig.reconcile())).contains(180);
    rig.pass(120);
    rig.reconcile();
    assertThat(rig.binding.checks()).allMatch(check -> check.is(PENDING));
    assertThat(rig.retries("a")).isEqualTo(1);
    assertThat(rig.retries("b")).as("Ready in between").isZero();
  }

  @Test
  void answerWhileTheResetIsUnderWay_makesItAConflictAndIsDecidedAnew() {
    AdmissionRig rig = AdmissionRig.listing("a", "b");
    rig.retry("a", 10);
    rig.pass(10);
    FakeBinding.Version read = rig.binding.read();
    AdmissionDecision reset = rig.decide(read);
    assertThat(reset.update().orElseThrow().reset()).isTrue();

    rig.retry("b", 30);

    assertThat(rig.write(read, reset)).as("written").isFalse();
    assertThat(rig.state("b")).isEqualTo(RETRY);
    assertThat(until(rig.reconcile())).contains(40);
    assertThat(rig.resets).isZero();
  }

  @Test
  void readyWhileTheResetIsUnderWay_isNotLost() {
    AdmissionRig rig = AdmissionRig.listing("a");
    rig.retry("a", 10);
    rig.pass(10);
    FakeBinding.Version read = rig.binding.read();
    AdmissionDecision reset = rig.decide(read);

    rig.ready("a");

    assertThat(rig.write(read, reset)).as("written").isFalse();
    assertThat(rig.reconcile()).isEqualTo(new Admitted());
  }

  /** The eight numbered steps of spec 5, at whose end a workload was stuck. */
  @Test
  void retrySetAgainRightAfterTheReset_isNeverStuck() {
    AdmissionRig rig = AdmissionRig.listing("a"); // 1, 2: pending
    rig.retry("a", null); // 3
    rig.reconcile(); // 4: reset to Pending
    assertThat(rig.state("a")).isEqualTo(PENDING);
    rig.retry("a", null); // 5: the checker runs again

    rig.reconcile(); // 6 to 8: it was overlooked from here on

    assertThat(rig.state("a")).isEqualTo(PENDING);
    assertThat(rig.retries("a")).isEqualTo(2);
    rig.ready("a");
    assertThat(rig.reconcile()).isEqualTo(new Admitted());
  }

  /** Steps 10 to 14 of the second diagram: the fastest answer decided the delay. */
  @Test
  void fastestAnswer_doesNotDecideTheDelay() {
    AdmissionRig rig = AdmissionRig.listing("ac1", "ac2");
    rig.retry("ac2", 60);
    rig.reconcile();

    rig.retry("ac1", 120);

    assertThat(until(rig.reconcile())).contains(120);
    rig.pass(60);
    assertThat(until(rig.reconcile())).contains(120);
    assertThat(rig.resets).isZero();
  }

  /** The caveat of spec 5: cycles that are not needed, and nothing worse. */
  @Test
  void fastCheckWithoutDelay_costsACycleAndTheSlowOneStillHolds() {
    AdmissionRig rig = AdmissionRig.listing("fast", "slow");
    rig.retry("fast", null);
    rig.reconcile();
    rig.retry("slow", 60);
    rig.retry("fast", null);

    assertThat(until(rig.reconcile())).contains(60);
    assertThat(rig.resets).isEqualTo(1);
    rig.pass(60);
    rig.reconcile();
    assertThat(rig.retries("fast")).isEqualTo(2);
    assertThat(rig.retries("slow")).isEqualTo(1);
  }

  @Test
  void retryTakenBack_endsTheWaitAtOnce() {
    AdmissionRig rig = AdmissionRig.listing("a", "b");
    rig.ready("b");
    rig.retry("a", 600);
    assertThat(until(rig.reconcile())).contains(600);

    rig.ready("a");

    assertThat(rig.reconcile()).isEqualTo(new Admitted());
  }

  /** The process dies, with all that it knows of what it has read and written. */
  @Test
  void restartInTheMiddleOfAWait_forgetsNothing() {
    BindingsWorld world = new BindingsWorld();
    world.store(BindingFixtures.view("x", "web", "a", "b"));
    world.begin();
    world.settle();
    Instant asked = world.now();
    world.change("x", true, retry("a", asked, 10), retry("b", asked, 5));
    world.goOn();
    world.pass(Duration.ofSeconds(7));

    world.crash();
    world.goOn();

    assertThat(world.state().wakeAt()).contains(asked.plusSeconds(10));
    world.pass(Duration.ofSeconds(2));
    world.crash();
    world.goOn();
    assertThat(world.effects(WriteStatus.class)).noneMatch(WriteStatus::reset);
    world.pass(Duration.ofSeconds(1));
    world.goOn();
    assertThat(world.effects(WriteStatus.class)).filteredOn(WriteStatus::reset).hasSize(1);
    world.crash();
    world.settle();
    assertThat(world.effects(WriteStatus.class)).noneMatch(WriteStatus::reset);
    assertThat(world.binding("x").admission().reported())
        .extracting(check -> check.name() + " " + check.state() + " " + check.retryCount())
        .containsExactlyInAnyOrder("a Pending 1", "b Pending 1");
  }

  private static Check retry(String name, Instant since, int seconds) {
    return new Check(name, RETRY, Optional.of(since), "", Optional.of(seconds), 0);
  }

  @Test
  void rejected_holdsUntilTheCheckChangesItsMind() {
    AdmissionRig rig = AdmissionRig.listing("a", "b");
    rig.retry("b", 1);
    rig.rejected("a");
    rig.pass(100);
    assertThat(rig.reconcile()).isInstanceOf(Rejected.class);
    assertThat(rig.resets).isZero();

    rig.retry("a", 5);

    assertThat(until(rig.reconcile())).contains(105);
  }

  @Test
  void rejected_holdsUntilTheSpecChanges() {
    AdmissionRig rig = AdmissionRig.listing("a", "b");
    rig.rejected("a");
    rig.ready("b");
    assertThat(rig.reconcile()).isInstanceOf(Rejected.class);

    rig.binding.list(names -> List.of("b", "c"));

    assertThat(until(rig.reconcile())).isEmpty();
    assertThat(rig.binding.checks())
        .containsExactlyInAnyOrder(Check.pending("b", START), Check.pending("c", START));
  }

  @Test
  void inactiveAndActiveAgain_startsClean() {
    AdmissionRig rig = AdmissionRig.listing("a", "b");
    rig.ready("b");
    rig.retry("a", 600);
    rig.pass(600);
    rig.reconcile();
    rig.retry("a", 600);
    rig.binding.activate(false);
    assertThat(rig.reconcile()).isEqualTo(new Inactive());
    assertThat(rig.binding.checks()).isEmpty();

    rig.binding.activate(true);

    assertThat(until(rig.reconcile())).isEmpty();
    assertThat(rig.binding.checks())
        .containsExactly(Check.pending("a", rig.now), Check.pending("b", rig.now));
  }

  @Test
  void inactiveUnseen_andActiveAgain_startsCleanAllTheSame() {
    AdmissionRig rig = AdmissionRig.listing("a");
    rig.ready("a");
    rig.reconcile();

    rig.binding.activate(false);
    rig.binding.activate(true);

    assertThat(until(rig.reconcile())).isEmpty();
    assertThat(rig.state("a")).isEqualTo(PENDING);
  }

  @Test
  void answerToAnInactiveBinding_countsForNothing() {
    AdmissionRig rig = AdmissionRig.listing("a");
    rig.binding.activate(false);
    rig.reconcile();

    rig.ready("a");

    rig.binding.activate(true);
    assertThat(until(rig.reconcile())).isEmpty();
    assertThat(rig.state("a")).isEqualTo(PENDING);
  }

  @Test
  void deletion_isHeldByNoCheck() {
    AdmissionRig rig = AdmissionRig.listing("a", "b");
    rig.rejected("a");
    rig.retry("b", 600);
    assertThat(rig.reconcile()).isInstanceOf(Rejected.class);

    rig.binding.delete();

    assertThat(rig.reconcile()).isEqualTo(new Admitted());
  }

  @Test
  void admittedPool_isHeldAgainWhenAReadyCheckSaysRetry() {
    AdmissionRig rig = AdmissionRig.listing("a");
    rig.ready("a");
    assertThat(rig.reconcile()).isEqualTo(new Admitted());
    rig.pass(1_000);

    rig.retry("a", 30);

    assertThat(until(rig.reconcile())).contains(1_030);
    assertThat(rig.state("a")).isNotEqualTo(READY);
  }
}
