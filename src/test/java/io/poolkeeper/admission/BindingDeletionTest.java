package io.poolkeeper.admission;

import static io.poolkeeper.admission.BindingFixtures.LATE;
import static io.poolkeeper.admission.BindingFixtures.POOL;
import static io.poolkeeper.admission.BindingFixtures.SHOP;
import static io.poolkeeper.admission.BindingFixtures.T0;
import static io.poolkeeper.admission.BindingFixtures.addresses;
import static io.poolkeeper.admission.BindingFixtures.status;
import static io.poolkeeper.admission.BindingFixtures.view;
import static io.poolkeeper.admission.BindingFixtures.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.admission.BindingsEffect.Bind;
import io.poolkeeper.admission.BindingsEffect.Emit;
import io.poolkeeper.admission.BindingsEffect.RemoveFinalizer;
import io.poolkeeper.admission.BindingsEffect.WriteStatus;
import io.poolkeeper.core.Decision;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.ObjectEvent;
import io.poolkeeper.model.ObjectReference;
import io.poolkeeper.pool.BoundPool;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** When a binding that is deleted is let go, by the core's events alone; it leads since T0. */
class BindingDeletionTest {
  private static final Instant LATER = T0.plusSeconds(600);
  private static final Duration HALF_AN_HOUR = Duration.ofMinutes(30);
  private static final BindingView A = with(view("a", "web"), true);

  private final BindingsCore core = BindingFixtures.core(SHOP);
  private final List<BindingsEffect> effects = new ArrayList<>();
  private BindingsState state = BindingsState.initial(true, T0);
  private Instant now = T0;

  private void send(BindingsEvent event) {
    Decision<BindingsState, BindingsEffect> decision = core.decide(state, event, now, () -> 0);
    state = decision.state();
    effects.addAll(decision.effects());
    for (BindingsEffect effect : decision.effects()) {
      if (effect instanceof WriteStatus write) {
        WriteAnswer done = new WriteAnswer.Done(write.binding());
        send(new BindingsEvent.Written(write.key(), write.version(), done));
      }
    }
  }

  private void heard(BindingView... bindings) {
    for (BindingView view : bindings) {
      send(new BindingsEvent.Changed(Map.of(view.key(), Optional.of(view))));
    }
  }

  private void begin(BindingView... bindings) {
    heard(bindings);
    send(new BindingsEvent.MarkRead(Optional.of(FakePool.MARK)));
    send(new BindingsEvent.Synced());
    effects.clear();
  }

  private static BindingView deleted(BindingView view, Instant at) {
    return with(view, true, Optional.of(at), true, view.admission());
  }

  private void shown(Optional<Instant> clear, String... marked) {
    Set<Address> in = addresses(marked);
    send(
        new BindingsEvent.PoolShown(
            status(Map.of(), "Idle", Optional.empty(), in, in, clear, false)));
  }

  private boolean letGo() {
    return effects.stream().anyMatch(RemoveFinalizer.class::isInstance);
  }

  @Test
  void finalizer_goesOnlyAfterARead_thatBeganWhenTheDeletionWasHeard_orLater() {
    begin(A);
    now = LATER;
    heard(deleted(A, LATER.minusSeconds(5)));
    assertThat(effects)
        .contains(new Bind(POOL, Optional.of(BoundPool.leaving(POOL, FakePool.MARK, LATER))));

    shown(Optional.of(LATER.minusMillis(1)));
    now = LATER.plusSeconds(5);
    shown(Optional.empty(), "10.0.0.4");
    assertThat(letGo()).isFalse();
    shown(Optional.of(LATER));

    assertThat(letGo()).isTrue();
  }

  /** A write of the leader before may come until then, though the pool is clean now. */
  @Test
  void finalizer_ofANewLeader_waitsUntilNoWriteOfTheOneBeforeCanArrive() {
    begin(deleted(A, T0.minusSeconds(5)));
    assertThat(state.bound()).containsValue(BoundPool.leaving(POOL, FakePool.MARK, T0.plus(LATE)));

    now = T0.plus(LATE).minusMillis(1);
    shown(Optional.of(now));
    assertThat(letGo()).isFalse();
    now = T0.plus(LATE);
    shown(Optional.of(now));

    assertThat(letGo()).isTrue();
  }

  @Test
  void finalizer_goesAtOnce_ifAnotherBindingOwnsThePool() {
    BindingView younger = with(view("b", "web"), true);
    begin(A, younger);

    heard(deleted(younger, T0));

    assertThat(effects).contains(new RemoveFinalizer(deleted(younger, T0)));
    assertThat(state.bound()).containsKey(POOL);
  }

  @Test
  void finalizer_goesAtOnce_ifAListingShowsThatThePoolIsMissing() {
    begin(A);
    heard(deleted(A, T0));
    assertThat(letGo()).isFalse();

    send(new BindingsEvent.Listed(Set.of(POOL), Map.of(), Map.of()));

    assertThat(letGo()).isTrue();
    assertThat(state.bound()).isEmpty();
  }

  @Test
  void finalizer_stays_ifAListingSaysNothingOfThePool() {
    begin(A);
    heard(deleted(A, T0));

    send(new BindingsEvent.Listed(Set.of(), Map.of(), Map.of()));
    send(new BindingsEvent.PoolForgotten(POOL));

    assertThat(letGo()).isFalse();
  }

  @Test
  void finalizer_ofAPoolOutOfReach_goes30MinutesAfterTheDeletion_withOneWarning() {
    begin(A);
    now = LATER;
    heard(deleted(A, LATER));
    shown(Optional.empty(), "10.0.0.4", "10.0.0.5");
    effects.clear();

    wait(HALF_AN_HOUR);

    assertThat(effects.stream().filter(Emit.class::isInstance))
        .containsExactly(
            new Emit(
                new ObjectEvent(
                    new ObjectReference.OfBinding("shop", "a", "uid-a"),
                    ObjectEvent.Type.WARNING,
                    "BackendPoolEntriesLeftBehind",
                    "Gave up after 30 minutes: the entries named *%s (2 when it was read last) could not be removed from the pool %s. Remove them by hand."
                        .formatted(FakePool.MARK, POOL.path()))));
    assertThat(letGo()).isTrue();
    effects.clear();
    wait(HALF_AN_HOUR);
    assertThat(effects).isEmpty();
  }

  @Test
  void finalizer_ofAPoolOutOfReach_goes30MinutesAfterTheLeadersStart() {
    begin(deleted(A, T0.minus(Duration.ofHours(5))));

    wait(HALF_AN_HOUR);

    assertThat(letGo()).isTrue();
  }

  /** Nobody could clean up before. */
  @Test
  void finalizer_ofAPoolOutOfReach_goes30MinutesAfterTheEndOfAPause() {
    begin(A);
    send(new BindingsEvent.Paused(true));
    heard(deleted(A, T0));
    now = T0.plus(Duration.ofHours(5));
    send(new BindingsEvent.TimerDue());

    send(new BindingsEvent.Paused(false));
    wait(HALF_AN_HOUR);

    assertThat(letGo()).isTrue();
  }

  /** Nothing happens before the time has passed. */
  private void wait(Duration time) {
    now = now.plus(time).minusMillis(1);
    send(new BindingsEvent.TimerDue());
    assertThat(letGo()).isFalse();
    now = now.plusMillis(1);
    send(new BindingsEvent.TimerDue());
  }

  /** The binding may be there for long; only its name is known while the watch is lost. */
  @Test
  void lostWatch_letsNothingGo_andTheCleaningGoesOn() {
    begin(A);
    heard(deleted(A, T0));
    effects.clear();

    send(new BindingsEvent.WatchLost());
    now = LATER;
    shown(Optional.of(LATER));
    assertThat(effects).isEmpty();
    assertThat(state.bound()).containsKey(POOL);
    send(new BindingsEvent.Synced());

    assertThat(letGo()).isTrue();
  }

  @Test
  void deletion_withoutAMark_ends30MinutesLater() {
    heard(deleted(A, T0));
    send(new BindingsEvent.Synced());

    wait(HALF_AN_HOUR);

    assertThat(letGo()).isTrue();
    assertThat(effects).noneMatch(Bind.class::isInstance);
    assertThat(effects.toString()).contains("named *.pk-* (0 when it was read last)");
  }

  @Test
  void bindingOfTheCloudProvidersPool_isLetGoAtOnce() {
    BindingView managed =
        with(
            view("a", "web", new LoadBalancerId("sub", "rg", "gateway-k8s").pool("blue"), T0),
            true);

    begin();
    heard(deleted(managed, T0));

    assertThat(letGo()).isTrue();
    assertThat(effects).noneMatch(Bind.class::isInstance);
  }
}
