package io.poolkeeper.admission;

import static io.poolkeeper.admission.BindingFixtures.POOL;
import static io.poolkeeper.admission.BindingFixtures.T0;
import static io.poolkeeper.admission.BindingFixtures.addresses;
import static io.poolkeeper.admission.BindingFixtures.key;
import static io.poolkeeper.admission.BindingFixtures.service;
import static io.poolkeeper.admission.BindingFixtures.view;
import static io.poolkeeper.admission.BindingFixtures.with;
import static io.poolkeeper.admission.BindingFixtures.wrong;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.admission.BindingsEffect.Bind;
import io.poolkeeper.admission.BindingsEffect.WriteStatus;
import io.poolkeeper.admission.Resolution.Refused;
import io.poolkeeper.pool.BoundPool;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** One pool has one binding, and what happens to that one's pool when there are others. */
class BindingOwnershipTest {
  private static final Map<String, List<String>> BOTH =
      Map.of("shop", List.of(POOL.path()), "team", List.of(POOL.path()));

  private final BindingsWorld world = new BindingsWorld();

  private void settled(BindingView... bindings) {
    world.endpoints("web", "10.0.0.4");
    world.endpoints("api", "10.0.0.6");
    for (BindingView binding : bindings) {
      world.store(binding);
    }
    world.begin();
    world.settle();
    world.effects();
  }

  /** The pool holds what the binding a has put in, and then other patterns are in force. */
  private void settledThenAllowed(Map<String, List<String>> allowed, BindingView... others) {
    settled(view("a", "web"));
    world.allow(allowed);
    for (BindingView binding : others) {
      world.store(binding);
    }
    world.crash();
    world.settle();
    world.effects();
  }

  private String reason(String name) {
    return world.state().observed().outcomes().get(key(name)) instanceof Refused refused
        ? refused.reason()
        : "";
  }

  private static BindingView made(String name, Instant created) {
    return view(name, "web", POOL, created);
  }

  @Test
  void owner_isTheOldest_thenTheOneOfTheSmallestUid() {
    settled(made("a", T0), made("b", T0.minusSeconds(1)), made("c", T0.minusSeconds(1)));

    assertThat(List.of(reason("a"), reason("b"), reason("c")))
        .containsExactly("Taken", "", "Taken");
    assertThat(world.state().observed().outcomes().get(key("a")))
        .isEqualTo(
            new Refused("Taken", "the binding shop/b, which is older, owns the pool " + POOL));
  }

  /** Somebody who sees a pool that is not written for now must not get it by that. */
  @Test
  void owner_keepsThePool_whileItIsInactive_invalidOtherwise_orBeingDeleted() {
    settled(view("a", "web"), view("b", "api"));

    world.change("a", false);
    world.settle();
    assertThat(reason("b")).isEqualTo("Taken");
    world.store(wrong(world.binding("a")));
    world.settle();
    assertThat(List.of(reason("a"), reason("b"))).containsExactly("Invalid", "Taken");
    assertThat(world.pool().marked()).isEqualTo(addresses("10.0.0.4"));
    world.delete("a");
    world.goOn(() -> 0);
    assertThat(List.of(reason("a"), reason("b"))).containsExactly("", "Taken");

    world.settle();

    assertThat(reason("b")).isEmpty();
    assertThat(world.pool().marked()).isEqualTo(addresses("10.0.0.6"));
  }

  @Test
  void takenBinding_asksNoCheck_andItsPoolHearsNothing() {
    BindingView taken = view("b", "api", "freeze");
    Check answer = new Check("freeze", CheckState.READY, Optional.of(T0), "", Optional.empty(), 0);
    settled(view("a", "web"), taken);

    world.change("b", true, answer);
    world.settle();

    assertThat(world.binding("b").admission().reported()).isEmpty();
    assertThat(world.binding("b").finalizer()).isFalse();
    assertThat(world.effects())
        .isNotEmpty()
        .allSatisfy(effect -> assertThat(effect).isInstanceOf(WriteStatus.class));
  }

  /** Whether or not both have bindings. */
  @Test
  void poolOfTwoNamespaces_isNobodys() {
    world.allow(BOTH);
    settled(view("a", "web"));

    assertThat(reason("a")).isEqualTo("NotAllowed");
    world.store(view("team/b", "web"));
    world.settle();
    assertThat(List.of(reason("a"), reason("team/b"))).containsOnly("NotAllowed");
    assertThat(world.effects(Bind.class)).isEmpty();
    assertThat(world.state().observed().outcomes().get(key("team/b")))
        .isEqualTo(
            new Refused(
                "NotAllowed",
                "poolkeeper.admission.allowed-pools gives the pool %s to several namespaces, [shop, team]: it must be one"
                    .formatted(POOL.path())));
  }

  @Test
  void poolOfTwoNamespacesNow_keepsItsEntries_untilItsBindingIsDeleted() {
    settledThenAllowed(BOTH, view("team/b", "web"));
    assertThat(List.of(reason("a"), reason("team/b"))).containsOnly("NotAllowed");
    assertThat(world.pool().marked()).isEqualTo(addresses("10.0.0.4"));

    world.delete("a");
    world.settle();

    assertThat(world.pool().marked()).isEmpty();
    assertThat(world.bindings()).extracting(BindingView::key).containsExactly(key("team/b"));
  }

  @Test
  void bindingThatIsNotAllowedAnyMore_cleansUpWhenItIsDeleted() {
    settledThenAllowed(Map.of());
    assertThat(reason("a")).isEqualTo("NotAllowed");
    assertThat(world.pool().marked()).isEqualTo(addresses("10.0.0.4"));

    world.delete("a");
    world.settle();

    assertThat(world.pool().marked()).isEmpty();
    assertThat(world.bindings()).isEmpty();
  }

  @Test
  void bindingThatIsNotAllowedAnyMore_leavesTheEntriesOfTheNextOwner() {
    settledThenAllowed(Map.of("team", List.of(POOL.path())), view("team/b", "web"));
    assertThat(List.of(reason("a"), reason("team/b"))).containsExactly("NotAllowed", "");
    assertThat(world.pool().marked()).isEqualTo(addresses("10.0.0.4"));

    world.delete("a");
    world.goOn();

    assertThat(world.effects(Bind.class)).isEmpty();
    assertThat(world.pool().marked()).isEqualTo(addresses("10.0.0.4"));
    assertThat(world.bindings()).extracting(BindingView::key).containsExactly(key("team/b"));
  }

  /** An owner that is not followed must take them out, too, when it is deleted. */
  @Test
  void owner_getsItsFinalizer_alsoWhileItIsInactiveOrInvalid() {
    AdmissionSubject rests = new AdmissionSubject(List.of(), List.of(), false, false, false);
    settledThenAllowed(
        Map.of("team", List.of(POOL.path())),
        with(wrong(view("team/b", "web")), false, Optional.empty(), false, rests));

    world.delete("a");
    world.goOn();

    assertThat(world.bindings()).extracting(BindingView::finalizer).containsExactly(true);
    world.delete("team/b");
    world.settle();
    assertThat(world.bindings()).isEmpty();
    assertThat(world.pool().marked()).isEmpty();
  }

  /** A second has many bindings: a younger one may own the pool by its UID. */
  @Test
  void bindingThatEnds_waitsUntilTheOwnerWouldCleanUp() {
    BindingView ends = with(view("b", "web"), true);
    settled(ends);
    world.delete("b");
    BindingView owner = world.store(view("a", "web"));
    world.send(new BindingsEvent.WatchLost());
    world.send(new BindingsEvent.Changed(Map.of(owner.key(), Optional.of(owner))));
    BindingView deleted = world.binding("b");
    world.send(new BindingsEvent.Changed(Map.of(deleted.key(), Optional.of(deleted))));
    world.effects();

    world.send(new BindingsEvent.Synced());

    assertThat(world.effects(BindingsEffect.Write.class))
        .filteredOn(write -> !(write instanceof WriteStatus))
        .containsExactly(new BindingsEffect.AddFinalizer(owner));
    world.goOn();
    assertThat(world.bindings()).extracting(BindingView::key).containsExactly(key("a"));
    assertThat(world.pool().marked()).isEqualTo(addresses("10.0.0.4"));
  }

  /** Which of the two has put them in is not known. */
  @Test
  void ofTwoThatAreNotAllowedAnyMore_theLastOneCleansUp() {
    settledThenAllowed(Map.of(), with(view("b", "api"), true));

    world.delete("a");
    world.settle();
    assertThat(world.bindings()).hasSize(1);
    assertThat(world.pool().marked()).isEqualTo(addresses("10.0.0.4"));
    world.delete("b");
    world.settle();

    assertThat(world.bindings()).isEmpty();
    assertThat(world.pool().marked()).isEmpty();
  }

  @Test
  void forgedFinalizer_ofAnotherNamespace_ownsNothing_andTakesNothingOut() {
    BindingView forged = with(view("evil/x", "web", POOL, T0.minusSeconds(60)), true);
    settled(view("a", "web"), forged);
    assertThat(List.of(reason("a"), reason("evil/x"))).containsExactly("", "NotAllowed");

    world.delete("evil/x");
    world.goOn();

    assertThat(world.effects(Bind.class)).isEmpty();
    assertThat(world.bindings()).extracting(BindingView::key).containsExactly(key("a"));
    assertThat(world.pool().marked()).isEqualTo(addresses("10.0.0.4"));
  }

  @Test
  void forgedFinalizer_ofATakenBinding_takesNothingOut() {
    settled(view("a", "web"), with(view("b", "web"), true));

    world.delete("b");
    world.goOn();

    assertThat(world.effects(Bind.class)).isEmpty();
    assertThat(world.bindings()).hasSize(1);
    assertThat(world.pool().marked()).isEqualTo(addresses("10.0.0.4"));
  }

  /** Only entries of the mark go, and there are none but those of nobody. */
  @Test
  void forgedFinalizer_whereNobodyOwnsThePool_leavesWhatIsForeign() {
    world.foreign("10.9.0.1", true);
    settled(with(view("evil/x", "web"), true));
    assertThat(world.state().bound()).isEmpty();

    world.delete("evil/x");
    world.settle();

    assertThat(world.bindings()).isEmpty();
    assertThat(world.pool().addresses()).isEqualTo(addresses("10.9.0.1"));
  }

  @Test
  void finalizerTakenByHand_isPutBack_andThePoolKeepsItsEntries() {
    settled(view("a", "web"));

    world.store(with(world.binding("a"), false));
    world.settle();

    assertThat(world.binding("a").finalizer()).isTrue();
    assertThat(world.state().bound().get(POOL))
        .extracting(BoundPool::service)
        .isEqualTo(Optional.of(service("web")));
    assertThat(world.pool().marked()).isEqualTo(addresses("10.0.0.4"));
  }
}
