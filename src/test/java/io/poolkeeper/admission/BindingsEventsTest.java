package io.poolkeeper.admission;

import static io.poolkeeper.admission.BindingsWorld.POOL;
import static io.poolkeeper.admission.BindingsWorld.T0;
import static io.poolkeeper.admission.BindingsWorld.view;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.admission.BindingsEffect.AddFinalizer;
import io.poolkeeper.admission.BindingsEffect.WriteStatus;
import io.poolkeeper.admission.Resolution.Follows;
import io.poolkeeper.admission.Resolution.Refused;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** What each event makes of the bindings that it concerns, at once. */
class BindingsEventsTest {
  private static final RandomGenerator FIRST = () -> 0;
  private static final BindingView A = view("a", "web", false);

  private final BindingsWorld world = new BindingsWorld();

  private void settle(BindingView... bindings) {
    world.endpoints("web", "10.0.0.4");
    for (BindingView binding : bindings) {
      world.create(binding);
    }
    world.begin();
    world.settle(FIRST);
    world.effects();
  }

  /** Whatever is under way ends at the same moment. */
  private void goOn() {
    boolean more = true;
    while (more) {
      more = world.goOn(FIRST);
    }
  }

  private void changed(BindingView view) {
    world.send(new BindingsEvent.Changed(Map.of(view.key(), Optional.of(view))));
  }

  /** Another version of the binding. */
  private static BindingView as(
      BindingView of, Optional<BindingTarget> target, List<String> problems, boolean deleted) {
    return new BindingView(
        of.key(),
        of.uid(),
        of.version() + "'",
        of.generation(),
        true,
        target,
        problems,
        of.added(),
        new AdmissionSubject(List.of(), List.of(), true, deleted, false));
  }

  private Resolution.Outcome outcome(BindingView of) {
    return world.state().observed().outcome(of);
  }

  private List<String> reasons() {
    return world.effects().stream()
        .filter(WriteStatus.class::isInstance)
        .map(effect -> ((WriteStatus) effect).report().ready().reason())
        .toList();
  }

  @Test
  void listing_withoutThePool_isReported_andAlsoItsReturn() {
    settle(A);

    world.send(new BindingsEvent.Listed(Set.of(POOL), Map.of()));
    assertThat(reasons()).containsExactly("PoolNotFound");
    world.settle(FIRST);
    world.effects();
    world.send(new BindingsEvent.Listed(Set.of(), Map.of()));

    assertThat(reasons()).containsExactly("InSync");
  }

  @Test
  void poolWithoutAnActor_isReportedAsNotRead() {
    settle(A);

    world.send(new BindingsEvent.PoolForgotten(POOL));

    assertThat(reasons()).containsExactly("Starting");
  }

  @Test
  void spec_thatContradictsNow_isRefused_andSoIsTheOther_untilItIsDeleted() {
    settle(A, view("b", "web", false));
    BindingView exclusive =
        as(world.binding("a"), view("a", "web", true).target(), List.of(), false);

    changed(exclusive);
    assertThat(outcome(exclusive)).isInstanceOf(Refused.class);
    assertThat(outcome(world.binding("b"))).isInstanceOf(Refused.class);
    changed(as(exclusive, exclusive.target(), List.of(), true));

    assertThat(outcome(exclusive)).isInstanceOf(Follows.class);
  }

  @Test
  void problems_areThoseOfTheLastSpec() {
    settle();
    changed(as(A, Optional.empty(), List.of("one"), false));

    changed(as(A, Optional.empty(), List.of("other"), false));

    assertThat(outcome(A)).isEqualTo(new Refused("Invalid", "other"));
  }

  @Test
  void bindingMadeAnew_underTheNameOfOneThatWasBeingWritten_isWrittenAtOnce() {
    settle();
    changed(A);
    assertThat(world.effects()).hasAtLeastOneElementOfType(AddFinalizer.class);

    world.send(new BindingsEvent.Changed(Map.of(A.key(), Optional.empty())));
    changed(A);

    assertThat(world.effects()).hasAtLeastOneElementOfType(AddFinalizer.class);
  }

  @Test
  void writeThatIsDone_isGoneOnFrom_beforeTheWatchBringsIt() {
    settle();
    changed(A);
    world.effects();
    BindingView written = as(A, A.target(), List.of(), false);

    world.send(new BindingsEvent.Written(A.key(), A.version(), new WriteAnswer.Done(written)));

    assertThat(world.effects())
        .filteredOn(WriteStatus.class::isInstance)
        .singleElement()
        .extracting(effect -> ((WriteStatus) effect).version())
        .isEqualTo(written.version());
  }

  @Test
  void versionThatWasRefused_isNotWrittenAgain() {
    settle();
    changed(A);
    world.effects();

    world.send(new BindingsEvent.Written(A.key(), A.version(), new WriteAnswer.Conflict()));
    world.send(new BindingsEvent.Synced());

    assertThat(world.effects()).noneMatch(BindingsEffect.Write.class::isInstance);
  }

  @Test
  void reset_isDueWhenTheDelayIsOver_notBefore() {
    settle(view("a", "web", false, "freeze"));
    Check retry =
        new Check("freeze", CheckState.RETRY, Optional.of(world.now()), "", Optional.of(100), 0);
    world.change("a", true, false, List.of(retry));
    goOn();
    world.effects();
    assertThat(world.state().wakeAt()).contains(world.now().plusSeconds(100));

    world.pass(Duration.ofSeconds(99));
    assertThat(world.effects()).isEmpty();
    world.pass(Duration.ofSeconds(1));

    assertThat(world.effects())
        .filteredOn(WriteStatus.class::isInstance)
        .singleElement()
        .extracting(effect -> ((WriteStatus) effect).reset())
        .isEqualTo(true);
  }

  @Test
  void deletedBinding_isLookedAtAgain_whenNoLateWriteCanArrive() {
    settle(A);
    world.delete("a");
    world.crash();
    Instant late = world.now().plus(BindingsWorld.LATE);
    goOn();
    world.pass(Duration.ofSeconds(1));
    goOn();

    assertThat(world.state().wakeAt()).contains(late);
  }

  @Test
  void viewForPeople_countsAnswers_andFindsTheLongestHold() {
    assertThat(BindingsView.NONE.heldSince()).isEmpty();
    settle(view("a", "web", false, "freeze", "budget"), view("b", "web", false, "freeze"));
    Check ready = new Check("freeze", CheckState.READY, Optional.of(T0), "", Optional.empty(), 0);
    world.change("b", true, false, List.of(ready));
    world.settle(FIRST);

    BindingsView view = new BindingsView(world.state());

    assertThat(view.checks())
        .isEqualTo(
            Map.of(
                "freeze",
                Map.of(CheckState.PENDING, 1, CheckState.READY, 1),
                "budget",
                Map.of(CheckState.PENDING, 1)));
    assertThat(view.heldSince()).contains(T0);
  }
}
