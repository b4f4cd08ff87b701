package io.poolkeeper.admission;

import static io.poolkeeper.admission.BindingFixtures.LATE;
import static io.poolkeeper.admission.BindingFixtures.POOL;
import static io.poolkeeper.admission.BindingFixtures.SHOP;
import static io.poolkeeper.admission.BindingFixtures.T0;
import static io.poolkeeper.admission.BindingFixtures.addresses;
import static io.poolkeeper.admission.BindingFixtures.key;
import static io.poolkeeper.admission.BindingFixtures.pool;
import static io.poolkeeper.admission.BindingFixtures.service;
import static io.poolkeeper.admission.BindingFixtures.view;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.admission.BindingReport.Truth;
import io.poolkeeper.admission.BindingsEffect.AddFinalizer;
import io.poolkeeper.admission.BindingsEffect.Bind;
import io.poolkeeper.admission.BindingsEffect.ReadMark;
import io.poolkeeper.admission.BindingsEffect.Resolved;
import io.poolkeeper.admission.BindingsEffect.Write;
import io.poolkeeper.admission.BindingsEffect.WriteStatus;
import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.pool.BoundPool;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What follows from bindings, and what is written to them. */
class BindingsCoreTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final BindingsWorld world = new BindingsWorld();

  /** The Service web is on 10.0.0.4; 10.9.0.1 is somebody else's. */
  private void settled(BindingView... bindings) {
    world.endpoints("web", "10.0.0.4");
    world.foreign("10.9.0.1", true);
    for (BindingView binding : bindings) {
      world.store(binding);
    }
    world.begin();
    world.settle();
    world.effects();
  }

  private static BoundPool bound(PoolId pool, Optional<String> held) {
    return BoundPool.of(pool, FakePool.MARK, service("web"), IpFamily.IPV4, held);
  }

  private static Check check(CheckState state) {
    return new Check("freeze", state, Optional.of(T0), "", Optional.empty(), 0);
  }

  @Test
  void newBinding_getsItsFinalizer_thenIsBound_thenHasItsAddresses() {
    world.endpoints("web", "10.0.0.4");
    world.store(view("a", "web"));
    world.begin();

    world.settle();

    assertThat(world.effects())
        .filteredOn(effect -> !(effect instanceof WriteStatus))
        .extracting(effect -> (Object) effect.getClass())
        .containsExactly(ReadMark.class, Resolved.class, AddFinalizer.class, Bind.class);
    assertThat(world.state().bound()).isEqualTo(Map.of(POOL, bound(POOL, Optional.empty())));
    assertThat(world.pool().marked()).isEqualTo(addresses("10.0.0.4"));
  }

  @Test
  void report_ofAPoolAsDesired_saysSo() {
    settled(view("a", "web"));
    world.endpoints("web", "10.0.0.4", "10.0.0.5");

    world.settle();

    BindingReport report = world.effects(WriteStatus.class).getLast().report();
    assertThat(report.ready().status()).isEqualTo(Truth.TRUE);
    assertThat(report.admitted().status()).isEqualTo(Truth.TRUE);
    assertThat(report.throttled().status()).isEqualTo(Truth.FALSE);
    assertThat(report.pool()).contains(POOL);
    BindingReport.Shown shown = report.shown().orElseThrow();
    assertThat(shown.inPool()).isEqualTo(addresses("10.0.0.4", "10.0.0.5", "10.9.0.1"));
    assertThat(shown.desired()).isEqualTo(addresses("10.0.0.4", "10.0.0.5"));
    assertThat(shown.added()).isEqualTo(addresses("10.0.0.4", "10.0.0.5"));
  }

  @Test
  void foreignEntries_stay_alsoWithAnAddressThatIsDesired() {
    world.foreign("10.0.0.5", true);
    settled(view("a", "web"));
    world.endpoints("web", "10.0.0.4", "10.0.0.5");
    world.settle();
    assertThat(world.pool().marked()).isEqualTo(addresses("10.0.0.4"));

    world.delete("a");
    world.settle();

    assertThat(world.pool().addresses()).isEqualTo(addresses("10.0.0.5", "10.9.0.1"));
    assertThat(world.bindings()).isEmpty();
  }

  @Test
  void inactiveBinding_leavesItsAddresses_andIsNotBound_untilItIsDeleted() {
    settled(view("a", "web"));

    world.change("a", false);
    world.settle();

    assertThat(world.state().bound()).isEmpty();
    assertThat(world.pool().marked()).isEqualTo(addresses("10.0.0.4"));
    world.delete("a");
    world.settle();
    assertThat(world.pool().addresses()).isEqualTo(addresses("10.9.0.1"));
  }

  @Test
  void check_thatIsNotReady_holdsThePool_untilItIs() {
    settled(view("a", "web", "freeze"));
    assertThat(world.state().bound())
        .containsValue(bound(POOL, Optional.of("shop/a: waiting for freeze (Pending)")));
    assertThat(world.pool().marked()).isEmpty();

    world.change("a", true, check(CheckState.READY));
    world.settle();

    assertThat(world.state().bound()).containsValue(bound(POOL, Optional.empty()));
    assertThat(world.pool().marked()).isEqualTo(addresses("10.0.0.4"));
  }

  @Test
  void deletion_isHeldByNoCheck() {
    settled(view("a", "web", "freeze"));
    world.change("a", true, check(CheckState.READY));
    world.settle();
    world.change("a", true, check(CheckState.REJECTED));
    world.settle();

    world.delete("a");
    world.settle();

    assertThat(world.pool().marked()).isEmpty();
    assertThat(world.bindings()).isEmpty();
  }

  @Test
  void standby_bindsAndWritesNothing_untilItLeads() {
    BindingsCore core = BindingFixtures.core(SHOP);
    BindingView followed = BindingFixtures.with(view("a", "web"), true);
    BindingsState state = BindingsState.initial(false, T0);
    for (BindingsEvent event :
        List.of(
            new BindingsEvent.Changed(Map.of(followed.key(), Optional.of(followed))),
            new BindingsEvent.Synced(),
            new BindingsEvent.MarkRead(Optional.of(FakePool.MARK)))) {
      var decision = core.decide(state, event, T0, () -> 0);
      assertThat(decision.effects()).allMatch(Resolved.class::isInstance);
      state = decision.state();
    }

    assertThat(core.decide(state, new BindingsEvent.Lead(), T0, () -> 0).effects())
        .hasSize(2)
        .startsWith(new Bind(POOL, Optional.of(bound(POOL, Optional.empty()))))
        .hasAtLeastOneElementOfType(WriteStatus.class);
  }

  @Test
  void mark_thatCannotBeRead_isReadAgainWithBackoff_andNothingIsBoundBefore() {
    BindingsCore core = BindingFixtures.core(SHOP);
    BindingView made = view("a", "web");
    BindingView binding = BindingFixtures.with(made, false, made.deleted(), true, made.admission());
    BindingsState state = BindingsState.initial(true, T0);
    for (BindingsEvent event :
        List.of(
            new BindingsEvent.Changed(Map.of(binding.key(), Optional.of(binding))),
            new BindingsEvent.Synced(),
            new BindingsEvent.TimerDue())) {
      var decision = core.decide(state, event, T0, () -> 0);
      assertThat(decision.effects())
          .noneMatch(effect -> effect instanceof Bind || effect instanceof AddFinalizer);
      state = decision.state();
    }

    // Equal jitter, drawn at 0: half of the delay.
    for (int seconds : new int[] {1, 2, 4, 8, 16, 32, 60, 60}) {
      assertThat(state.observed().mark().readAt()).as("under way").isEmpty();
      state = core.decide(state, new BindingsEvent.MarkRead(Optional.empty()), T0, () -> 0).state();
      var again = T0.plusMillis(seconds * 500L);
      assertThat(core.wakeAt(state)).contains(again);
      var read = core.decide(state, new BindingsEvent.TimerDue(), again, () -> 0);
      assertThat(read.effects()).containsExactly(new ReadMark());
      state = read.state();
    }
    var known = new BindingsEvent.MarkRead(Optional.of(FakePool.MARK));
    assertThat(core.decide(state, known, T0.plusSeconds(1), () -> 0).effects())
        .hasAtLeastOneElementOfType(AddFinalizer.class);
  }

  @Test
  void lostWatch_holdsPoolsWithChecksOnly_andWritesNothing() {
    BindingView other = view("b", "web", pool("green"), T0);
    settled(view("a", "web", "freeze"), other);
    world.change("a", true, check(CheckState.READY));
    world.settle();
    world.effects();

    world.send(new BindingsEvent.WatchLost());

    BoundPool held = bound(POOL, Optional.of("the watch of the bindings is lost"));
    assertThat(world.effects()).containsExactly(new Bind(POOL, Optional.of(held)));
    assertThat(world.state().bound()).containsValues(held, bound(pool("green"), Optional.empty()));
    world.send(new BindingsEvent.Synced());
    assertThat(world.state().bound()).containsValue(bound(POOL, Optional.empty()));
  }

  @Test
  void lostWatch_beginsNothing() {
    settled();
    BindingView made = BindingFixtures.with(view("a", "web"), true);

    world.send(new BindingsEvent.WatchLost());
    world.send(new BindingsEvent.Changed(Map.of(made.key(), Optional.of(made))));

    assertThat(world.state().bound()).isEmpty();
  }

  @Test
  void checkerThatAnswersRetryAtOnce_isAskedAgainOnceASecond() {
    settled(view("a", "web", "freeze"));
    int writes = 0;
    for (int answer = 0; answer < 10; answer++) {
      world.change("a", true, check(CheckState.RETRY));
      world.goOn();
      writes += world.effects(WriteStatus.class).size();
    }

    assertThat(writes).isEqualTo(1);
    world.pass(SECOND);
    assertThat(world.effects(WriteStatus.class)).hasSize(1);
  }

  @Test
  void conflict_writesNothing_andIsDecidedAnewFromTheNewerVersion() {
    settled(view("a", "web", "freeze"));
    world.send(changed(world.change("a", true, check(CheckState.RETRY))));
    assertThat(world.effects(WriteStatus.class)).hasSize(1);

    BindingView newer = world.change("a", true, check(CheckState.READY));
    world.settle();

    assertThat(world.binding("a").admission().reported())
        .as("no reset has come over it")
        .containsExactly(check(CheckState.READY));
    assertThat(world.effects(WriteStatus.class))
        .isNotEmpty()
        .allMatch(write -> Integer.parseInt(write.version()) >= version(newer))
        .noneMatch(WriteStatus::reset);
    assertThat(world.pool().marked()).isEqualTo(addresses("10.0.0.4"));
  }

  private static BindingsEvent changed(BindingView view) {
    return new BindingsEvent.Changed(Map.of(view.key(), Optional.of(view)));
  }

  private static int version(BindingView view) {
    return Integer.parseInt(view.version());
  }

  /** Each change of somebody else makes a conflict: no reason to try ever faster. */
  @Test
  void statusThatIsRefusedAgainAndAgain_isTriedOnceASecond() {
    settled(view("a", "web", "freeze"));
    int tries = 0;
    for (int tenth = 0; tenth < 30; tenth++) {
      world.send(changed(world.change("a", true, check(CheckState.RETRY))));
      List<WriteStatus> begun = world.effects(WriteStatus.class);
      tries += begun.size();
      begun.forEach(
          write ->
              world.send(
                  new BindingsEvent.Written(
                      write.key(), write.version(), new WriteAnswer.Conflict())));
      world.pass(Duration.ofMillis(100));
    }

    assertThat(tries).isEqualTo(3);
  }

  @Test
  void failedWrite_isRepeatedWithBackoff() {
    world.begin();
    world.goOn();
    BindingView binding = view("a", "web");
    world.effects();
    world.send(changed(binding));
    assertThat(world.effects(Write.class)).containsExactly(new AddFinalizer(binding));

    for (int seconds : new int[] {1, 2, 4, 8, 16, 32, 60, 60}) {
      world.send(
          new BindingsEvent.Written(
              binding.key(), binding.version(), new WriteAnswer.Failed("no")));
      // Equal jitter, drawn at 0: half of the delay.
      world.pass(Duration.ofMillis(seconds * 500L - 1));
      assertThat(world.effects()).isEmpty();
      world.pass(Duration.ofMillis(1));
      assertThat(world.effects()).containsExactly(new AddFinalizer(binding));
    }
  }

  /** Of those anybody may make many, and change them all the time. */
  @Test
  void refusedBinding_getsItsStatusOnceIn30Seconds() {
    settled(view("evil/a", "web"));
    int writes = 0;
    for (int second = 0; second < 90; second++) {
      world.change("evil/a", true, check(CheckState.READY));
      world.goOn();
      writes += world.effects(WriteStatus.class).size();
      world.pass(SECOND);
    }

    assertThat(writes).isEqualTo(3);
  }

  @Test
  void failover_writesNothing_beforeThePoolIsShown_andThenWhatIsNew() {
    settled(view("a", "web"));
    world.crash();
    BindingView before = world.binding("a");
    BoundPool bound = bound(POOL, Optional.empty());

    while (world.state().bound().isEmpty()) {
      world.goOn(() -> 0);
    }

    assertThat(world.effects(WriteStatus.class)).isEmpty();
    world.pass(LATE.multipliedBy(100));
    assertThat(world.effects()).isEmpty();
    world.goOn();
    assertThat(world.state().bound()).isEqualTo(Map.of(POOL, bound));
    assertThat(world.effects(WriteStatus.class))
        .extracting(write -> write.version() + " " + write.report().ready().reason())
        .startsWith(before.version() + " InSync");
  }

  @Test
  void event_ofOneBinding_beside1000OfItsPool_concernsNoOther() {
    BindingView owner = view("a", "web");
    settled(owner);
    for (int i = 0; i < 1_000; i++) {
      world.store(view("z" + i, "web"));
    }
    world.settle();
    assertThat(world.state().observed().outcomes()).hasSize(1_001);
    world.effects();

    BindingView one = world.binding("z500");
    world.send(new BindingsEvent.Changed(Map.of(one.key(), Optional.empty())));
    assertThat(world.effects()).isEmpty();
    world.send(changed(BindingFixtures.with(one, true)));
    assertThat(world.effects()).extracting(BindingsCoreTest::of).containsOnly(one.key());
    world.send(changed(world.change("a", false)));
    assertThat(world.effects()).extracting(BindingsCoreTest::of).containsOnly(key("a"));
  }

  private static BindingKey of(BindingsEffect effect) {
    return switch (effect) {
      case Write write -> write.key();
      case Resolved resolved -> resolved.binding();
      case Bind bind -> key("a");
      case ReadMark read -> throw new AssertionError("it is known");
      case BindingsEffect.Emit emit -> throw new AssertionError(emit.toString());
    };
  }

  @Test
  void stopped_decidesNothing() {
    settled(view("a", "web", "freeze"));
    world.send(new BindingsEvent.Stop());

    world.send(new BindingsEvent.WatchLost());

    assertThat(world.effects()).isEmpty();
    assertThat(world.state().wakeAt()).isEmpty();
  }
}
