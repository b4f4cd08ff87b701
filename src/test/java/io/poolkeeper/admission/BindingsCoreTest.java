package io.poolkeeper.admission;

import static io.poolkeeper.admission.BindingsWorld.POOL;
import static io.poolkeeper.admission.BindingsWorld.addresses;
import static io.poolkeeper.admission.BindingsWorld.service;
import static io.poolkeeper.admission.BindingsWorld.view;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.admission.BindingReport.Truth;
import io.poolkeeper.admission.BindingsEffect.AddFinalizer;
import io.poolkeeper.admission.BindingsEffect.Bind;
import io.poolkeeper.admission.BindingsEffect.RemoveFinalizer;
import io.poolkeeper.admission.BindingsEffect.WriteStatus;
import io.poolkeeper.model.AllowedPools;
import io.poolkeeper.pool.Terms;
import io.poolkeeper.service.Bindings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What follows from bindings, and what is written to them. */
class BindingsCoreTest {
  private static final RandomGenerator FIRST = () -> 0;
  private static final Duration SECOND = Duration.ofSeconds(1);

  private static final Bind NOTHING_BOUND =
      new Bind(new Bindings(1, Map.of(), Map.of(), Terms.NONE));

  private final BindingsWorld world = new BindingsWorld();

  /** A binding of the Service web, which is on 10.0.0.4; 10.9.0.1 is somebody else's. */
  private BindingsWorld settled(BindingView... bindings) {
    world.endpoints("web", "10.0.0.4");
    world.foreign("10.9.0.1", true);
    for (BindingView binding : bindings) {
      world.create(binding);
    }
    world.begin();
    world.settle(FIRST);
    world.effects();
    return world;
  }

  private BindingReport lastReport(BindingsWorld of) {
    return of.effects().stream()
        .filter(WriteStatus.class::isInstance)
        .map(effect -> ((WriteStatus) effect).report())
        .reduce((one, other) -> other)
        .orElseThrow();
  }

  private static Check check(CheckState state) {
    return new Check("freeze", state, Optional.of(BindingsWorld.T0), "", Optional.empty(), 0);
  }

  @Test
  void newBinding_getsItsFinalizer_thenItsRecord_thenItsAddresses() {
    world.endpoints("web", "10.0.0.4");
    world.create(view("a", "web", false));
    world.begin();

    world.settle(FIRST);

    List<BindingsEffect> effects = world.effects();
    int finalizer = first(effects, AddFinalizer.class);
    assertThat(effects.subList(0, finalizer)).containsExactly(NOTHING_BOUND);
    assertThat(effects.subList(0, first(effects, WriteStatus.class)))
        .filteredOn(Bind.class::isInstance)
        .allMatch(bind -> added((Bind) bind).isEmpty());
    assertThat(world.pool()).isEqualTo(addresses("10.0.0.4"));
    assertThat(world.binding("a").added()).isEqualTo(addresses("10.0.0.4"));
  }

  private static int first(List<BindingsEffect> effects, Class<?> type) {
    return effects.stream().map(Object::getClass).toList().indexOf(type);
  }

  private static Set<?> added(Bind bind) {
    return bind.bindings().pools().getOrDefault(service("web"), List.of()).stream()
        .flatMap(pool -> pool.bound().added().stream())
        .collect(Collectors.toSet());
  }

  @Test
  void report_ofAPoolAsDesired_saysSo() {
    settled(view("a", "web", false));
    world.endpoints("web", "10.0.0.4", "10.0.0.5");
    world.send(new BindingsEvent.WatchLost());
    world.send(new BindingsEvent.Synced());
    world.settle(FIRST);

    BindingReport report = lastReport(world);

    assertThat(report.ready().status()).isEqualTo(Truth.TRUE);
    assertThat(report.admitted().status()).isEqualTo(Truth.TRUE);
    assertThat(report.throttled().status()).isEqualTo(Truth.FALSE);
    assertThat(report.pool()).contains(POOL);
    assertThat(report.shown().orElseThrow().inPool())
        .isEqualTo(addresses("10.0.0.4", "10.0.0.5", "10.9.0.1"));
    assertThat(report.shown().orElseThrow().desired()).isEqualTo(addresses("10.0.0.4", "10.0.0.5"));
    assertThat(report.added()).isEqualTo(addresses("10.0.0.4", "10.0.0.5"));
  }

  @Test
  void sharedBinding_leavesWhatOthersPutIn_alsoWhenItIsDeleted() {
    settled(view("a", "web", false));
    assertThat(world.pool()).isEqualTo(addresses("10.0.0.4", "10.9.0.1"));

    world.delete("a");
    world.settle(FIRST);

    assertThat(world.pool()).isEqualTo(addresses("10.9.0.1"));
    assertThat(world.bindings()).isEmpty();
  }

  @Test
  void exclusiveBinding_removesWhatOthersPutIn_butNotWhenItIsDeleted() {
    settled(view("a", "web", true));
    assertThat(world.pool()).isEqualTo(addresses("10.0.0.4"));
    world.send(new BindingsEvent.WatchLost());
    world.foreign("10.9.0.2", true);

    world.send(new BindingsEvent.Synced());
    world.delete("a");
    world.settle(FIRST);

    assertThat(world.pool()).isEqualTo(addresses("10.9.0.2"));
  }

  /** The pool hears first that it must not add it any more. */
  @Test
  void addressThatHasLeft_leavesTheRecord_afterThePoolHasHeard() {
    settled(view("a", "web", false));
    world.endpoints("web", "10.0.0.5");

    world.settle(FIRST);

    assertThat(world.pool()).isEqualTo(addresses("10.0.0.5", "10.9.0.1"));
    assertThat(world.binding("a").added()).isEqualTo(addresses("10.0.0.5"));
    List<BindingsEffect> effects = world.effects();
    int last = effects.lastIndexOf(lastOf(effects, WriteStatus.class));
    assertThat(effects.subList(0, last))
        .filteredOn(Bind.class::isInstance)
        .last()
        .satisfies(bind -> assertThat(added((Bind) bind)).isEqualTo(addresses("10.0.0.5")));
  }

  private static BindingsEffect lastOf(List<BindingsEffect> effects, Class<?> type) {
    return effects.stream().filter(type::isInstance).reduce((one, other) -> other).orElseThrow();
  }

  @Test
  void addressThatWasThereBefore_isNotRecorded_andStays() {
    world.foreign("10.0.0.4", true);

    settled(view("a", "web", false));
    assertThat(world.binding("a").added()).isEmpty();
    world.delete("a");
    world.settle(FIRST);

    assertThat(world.pool()).isEqualTo(addresses("10.0.0.4", "10.9.0.1"));
  }

  @Test
  void deletedBinding_ofAMissingPool_isLetGo() {
    world.create(view("a", "web", false));
    world.missing();
    world.begin();
    world.settle(FIRST);

    world.delete("a");
    world.settle(FIRST);

    assertThat(world.bindings()).isEmpty();
  }

  @Test
  void deletedBinding_waitsForLateWritesOfTheLeaderBefore() {
    settled(view("a", "web", false));
    world.crash();
    world.delete("a");
    while (world.goOn(FIRST)) {
      assertThat(world.effects()).noneMatch(RemoveFinalizer.class::isInstance);
    }

    world.pass(BindingsWorld.LATE);

    assertThat(world.effects()).hasAtLeastOneElementOfType(RemoveFinalizer.class);
  }

  @Test
  void inactiveBinding_leavesItsAddresses_andIsNotBound_untilItIsDeleted() {
    settled(view("a", "web", false));

    world.change("a", false, false, List.of());
    world.settle(FIRST);

    assertThat(world.state().sent().pools()).isEmpty();
    assertThat(world.pool()).isEqualTo(addresses("10.0.0.4", "10.9.0.1"));
    world.delete("a");
    world.settle(FIRST);
    assertThat(world.pool()).isEqualTo(addresses("10.9.0.1"));
  }

  @Test
  void check_thatIsNotReady_holdsThePool_untilItIs() {
    settled(view("a", "web", false, "freeze"));

    assertThat(world.state().sent().terms(POOL).held())
        .contains("shop/a: waiting for freeze (Pending)");
    assertThat(world.pool()).isEqualTo(addresses("10.9.0.1"));
    world.change("a", true, false, List.of(check(CheckState.READY)));
    world.settle(FIRST);

    assertThat(world.state().sent().terms(POOL)).isEqualTo(Terms.NONE);
    assertThat(world.pool()).isEqualTo(addresses("10.0.0.4", "10.9.0.1"));
  }

  @Test
  void deletion_isHeldByNoCheck() {
    settled(view("a", "web", false, "freeze"));
    world.change("a", true, false, List.of(check(CheckState.READY)));
    world.settle(FIRST);
    world.change("a", true, false, List.of(check(CheckState.REJECTED)));
    world.settle(FIRST);

    world.delete("a");
    world.settle(FIRST);

    assertThat(world.pool()).isEqualTo(addresses("10.9.0.1"));
  }

  @Test
  void contradiction_refusesBoth_andKeepsWhatIsThere() {
    settled(view("a", "web", false));

    world.create(view("b", "web", true));
    world.settle(FIRST);

    assertThat(world.state().observed().outcomes().values())
        .allMatch(Resolution.Refused.class::isInstance);
    assertThat(world.state().sent().pools()).isEmpty();
    assertThat(world.pool()).isEqualTo(addresses("10.0.0.4", "10.9.0.1"));
    world.delete("b");
    world.settle(FIRST);
    assertThat(world.state().sent().pools()).containsKey(service("web"));
  }

  /** What one has added and the other desires, too, stays, and is cleaned up with the other. */
  @Test
  void unionOfTwo_oneIsDeleted_theOthersAddressesStay() {
    settled(view("a", "web", false));
    world.endpoints("api", "10.0.0.4", "10.0.0.6");
    world.create(view("b", "api", false));
    world.settle(FIRST);

    world.delete("a");
    world.settle(FIRST);

    assertThat(world.pool()).isEqualTo(addresses("10.0.0.4", "10.0.0.6", "10.9.0.1"));
    world.delete("b");
    world.settle(FIRST);
    assertThat(world.pool()).isEqualTo(addresses("10.9.0.1"));
  }

  @Test
  void inactiveBinding_keepsWhatADeletedOneHasRecorded_too() {
    settled(view("a", "web", false));
    world.create(view("b", "web", false));
    world.settle(FIRST);
    assertThat(world.binding("b").added()).isEqualTo(addresses("10.0.0.4"));
    world.change("b", false, false, List.of());
    world.settle(FIRST);

    world.delete("a");
    world.settle(FIRST);

    assertThat(world.bindings()).hasSize(1);
    assertThat(world.pool()).isEqualTo(addresses("10.0.0.4", "10.9.0.1"));
    world.delete("b");
    world.settle(FIRST);
    assertThat(world.pool()).isEqualTo(addresses("10.9.0.1"));
  }

  @Test
  void standby_bindsAndWritesNothing() {
    world.create(view("a", "web", false));
    BindingsCore core =
        new BindingsCore(
            new Resolution("sub", "rg", AllowedPools.of("sub", Map.of()), name -> false, false),
            new AdmissionChecks(AdmissionLimits.SHIPPED, List.of()),
            BindingsWorld.LATE);
    BindingsState standby = BindingsState.initial(false, BindingsWorld.T0);
    BindingView binding = world.binding("a");

    var changed =
        core.decide(
            standby,
            new BindingsEvent.Changed(Map.of(binding.key(), Optional.of(binding))),
            BindingsWorld.T0,
            FIRST);
    var synced = core.decide(changed.state(), new BindingsEvent.Synced(), BindingsWorld.T0, FIRST);

    assertThat(changed.effects()).isEmpty();
    assertThat(synced.effects()).isEmpty();
    assertThat(
            core.decide(synced.state(), new BindingsEvent.Lead(), BindingsWorld.T0, FIRST)
                .effects())
        .as("the map hears what is bound before it may write")
        .hasSize(3)
        .startsWith(NOTHING_BOUND, new BindingsEffect.Lead())
        .hasAtLeastOneElementOfType(WriteStatus.class);
  }

  @Test
  void lostWatch_holdsWhatIsBound_andWritesNothing() {
    settled(view("a", "web", false));

    world.send(new BindingsEvent.WatchLost());

    assertThat(world.effects()).hasSize(1).hasOnlyElementsOfType(Bind.class);
    assertThat(world.state().sent().terms(POOL).held())
        .contains("the watch of the bindings is lost");
    assertThat(world.state().sent().pools()).containsKey(service("web"));
  }

  @Test
  void checkerThatAnswersRetryAtOnce_isAskedAgainOnceASecond() {
    settled(view("a", "web", false, "freeze"));
    int writes = 0;
    for (int answer = 0; answer < 10; answer++) {
      world.change("a", true, false, List.of(check(CheckState.RETRY)));
      while (world.goOn(FIRST)) {
        // Whatever is under way ends at the same moment.
      }
      writes += (int) world.effects().stream().filter(WriteStatus.class::isInstance).count();
    }

    assertThat(writes).isEqualTo(1);
    world.pass(SECOND);
    assertThat(world.effects()).hasSize(1);
  }

  @Test
  void conflict_waitsForTheNewerVersion() {
    settled(view("a", "web", false));
    BindingView binding = world.binding("a");
    world.change("a", true, false, List.of());
    world.send(new BindingsEvent.WatchLost());
    world.send(new BindingsEvent.Synced());

    world.settle(FIRST);

    assertThat(world.binding("a").version()).isNotEqualTo(binding.version());
    assertThat(world.state().progress().get(binding.key()).refused()).isEmpty();
  }

  @Test
  void failedWrite_isRepeatedWithBackoff() {
    world.create(view("a", "web", false));
    world.begin();
    BindingView binding = world.binding("a");
    world.send(new BindingsEvent.Changed(Map.of(binding.key(), Optional.of(binding))));
    world.send(new BindingsEvent.Synced());
    assertThat(world.effects()).hasSize(2).startsWith(NOTHING_BOUND);

    for (int seconds : new int[] {1, 2, 4, 8, 16, 32, 60, 60}) {
      world.send(
          new BindingsEvent.Written(
              binding.key(), binding.version(), new WriteAnswer.Failed("no")));
      // Equal jitter, drawn at 0: half of the delay.
      world.pass(Duration.ofMillis(seconds * 500L - 1));
      assertThat(world.effects()).isEmpty();
      world.pass(Duration.ofMillis(1));
      assertThat(world.effects()).hasSize(1);
    }
  }

  @Test
  void stopped_decidesNothing() {
    settled(view("a", "web", false));
    world.send(new BindingsEvent.Stop());

    world.send(new BindingsEvent.WatchLost());

    assertThat(world.effects()).isEmpty();
    assertThat(world.state().wakeAt()).isEmpty();
  }
}
