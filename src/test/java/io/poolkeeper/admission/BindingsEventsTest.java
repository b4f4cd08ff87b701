package io.poolkeeper.admission;

import static io.poolkeeper.admission.BindingFixtures.POOL;
import static io.poolkeeper.admission.BindingFixtures.T0;
import static io.poolkeeper.admission.BindingFixtures.pool;
import static io.poolkeeper.admission.BindingFixtures.view;
import static io.poolkeeper.admission.BindingFixtures.with;
import static io.poolkeeper.admission.BindingFixtures.wrong;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.admission.BindingsEffect.AddFinalizer;
import io.poolkeeper.admission.BindingsEffect.Bind;
import io.poolkeeper.admission.BindingsEffect.Write;
import io.poolkeeper.admission.BindingsEffect.WriteStatus;
import io.poolkeeper.admission.Resolution.Follows;
import io.poolkeeper.admission.Resolution.Refused;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What each event makes of the bindings that it concerns, at once. */
class BindingsEventsTest {
  private static final BindingView A = view("a", "web");

  private final BindingsWorld world = new BindingsWorld();

  private void settle(BindingView... bindings) {
    world.endpoints("web", "10.0.0.4");
    for (BindingView binding : bindings) {
      world.store(binding);
    }
    world.begin();
    world.settle();
    world.effects();
  }

  private void changed(BindingView view) {
    world.send(new BindingsEvent.Changed(Map.of(view.key(), Optional.of(view))));
  }

  private List<String> reasons() {
    return world.effects(WriteStatus.class).stream()
        .map(write -> write.report().ready().reason())
        .toList();
  }

  @Test
  void listing_withoutThePool_isReported_andAlsoItsReturn() {
    settle(A);

    world.listed(POOL);
    assertThat(reasons()).containsExactly("PoolNotFound");
    world.settle();
    world.effects();
    world.listed();

    assertThat(reasons()).containsExactly("InSync");
  }

  @Test
  void poolWithoutAnActor_isReportedAsNotRead() {
    settle(A);

    world.send(new BindingsEvent.PoolForgotten(POOL));

    assertThat(reasons()).containsExactly("Starting");
  }

  @Test
  void problems_areThoseOfTheLastSpec_andThePoolIsLetGo_whileItIsStillItsOwn() {
    settle(A, view("b", "web"));

    changed(wrong(world.binding("a")));

    assertThat(world.effects(Bind.class)).containsExactly(new Bind(POOL, Optional.empty()));
    assertThat(world.state().observed().outcomes().get(A.key()))
        .isEqualTo(new Refused("Invalid", "spec.ipFamily: IPv5"));
    changed(world.binding("a"));
    assertThat(world.state().observed().outcomes().get(A.key())).isInstanceOf(Follows.class);
  }

  @Test
  void bindingOfAnotherPool_letsTheOneBeforeGo() {
    settle(A);

    changed(with(view("a", "web", pool("green"), T0), true));

    assertThat(world.effects(Bind.class))
        .extracting(bind -> bind.pool() + " " + bind.bound().isPresent())
        .containsExactly(POOL + " false", pool("green") + " true");
  }

  @Test
  void bindingMadeAnew_underTheNameOfOneThatWasBeingWritten_isWrittenAtOnce() {
    settle();
    changed(A);
    assertThat(world.effects(AddFinalizer.class)).hasSize(1);

    world.send(new BindingsEvent.Changed(Map.of(A.key(), Optional.empty())));
    changed(A);

    assertThat(world.effects(AddFinalizer.class)).hasSize(1);
  }

  @Test
  void writeThatIsDone_isGoneOnFrom_beforeTheWatchBringsIt() {
    settle();
    changed(A);
    world.effects();
    BindingView written = world.store(with(A, true));

    world.send(new BindingsEvent.Written(A.key(), A.version(), new WriteAnswer.Done(written)));
    world.pass(Duration.ofSeconds(1));

    assertThat(world.effects(WriteStatus.class))
        .extracting(Write::version)
        .containsExactly(written.version());
  }

  @Test
  void paused_nothingIsWritten_andAllThatIsDueWhenThatEnds() {
    settle(view("a", "web", "freeze"));
    world.send(new BindingsEvent.Paused(true));
    BindingView late = view("b", "web", pool("green"), T0);
    changed(late);
    world.change(
        "a", true, new Check("freeze", CheckState.READY, Optional.of(T0), "", Optional.empty(), 0));
    world.goOn();
    world.pass(Duration.ofHours(1));
    assertThat(world.effects(Write.class)).isEmpty();

    world.send(new BindingsEvent.Paused(false));

    List<Write> writes = world.effects(Write.class);
    assertThat(writes).extracting(Write::key).containsExactly(A.key(), late.key());
    assertThat(writes).last().isEqualTo(new AddFinalizer(late));
  }

  @Test
  void versionThatWasRefused_isNotWrittenAgain() {
    settle();
    changed(A);
    world.effects();

    world.send(new BindingsEvent.Written(A.key(), A.version(), new WriteAnswer.Conflict()));
    world.send(new BindingsEvent.Synced());

    assertThat(world.effects(Write.class)).isEmpty();
  }

  @Test
  void reset_isDueWhenTheDelayIsOver_notBefore() {
    settle(view("a", "web", "freeze"));
    Instant now = world.now();
    world.change(
        "a",
        true,
        new Check("freeze", CheckState.RETRY, Optional.of(now), "", Optional.of(100), 0));
    world.goOn();
    world.effects();
    assertThat(world.state().wakeAt()).contains(now.plusSeconds(100));

    world.pass(Duration.ofSeconds(99));
    assertThat(world.effects()).isEmpty();
    world.pass(Duration.ofSeconds(1));

    assertThat(world.effects(WriteStatus.class))
        .extracting(WriteStatus::reset)
        .containsExactly(true);
  }
}
