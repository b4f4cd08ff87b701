package io.poolkeeper.admission;

import static io.poolkeeper.admission.AdmissionLimits.SHIPPED;
import static io.poolkeeper.admission.BindingsWorld.POOL;
import static io.poolkeeper.admission.BindingsWorld.paced;
import static io.poolkeeper.admission.BindingsWorld.view;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.pool.Terms;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** How bindings want their pool to be written. */
class BindingsTermsTest {
  private static final RandomGenerator FIRST = () -> 0;
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Check READY =
      new Check("freeze", CheckState.READY, Optional.of(BindingsWorld.T0), "", Optional.empty(), 0);

  private static BindingsWorld settled(AdmissionLimits limits, BindingView... bindings) {
    BindingsWorld world = new BindingsWorld(limits);
    world.endpoints("web", "10.0.0.4");
    for (BindingView binding : bindings) {
      world.create(binding);
    }
    world.begin();
    world.settle(FIRST);
    return world;
  }

  private static Terms terms(BindingsWorld world) {
    return world.state().sent().terms(POOL);
  }

  @Test
  void pool_isWrittenAsItsMostCarefulBindingSays_whileThatLasts() {
    Duration minute = Duration.ofMinutes(1);
    BindingsWorld world =
        settled(SHIPPED, paced("a", 5, SECOND), paced("b", 1, minute), view("c", "web", false));
    assertThat(terms(world))
        .isEqualTo(new Terms(Optional.empty(), false, Optional.of(5), Optional.of(minute)));

    world.delete("b");
    world.settle(FIRST);
    assertThat(terms(world))
        .isEqualTo(new Terms(Optional.empty(), false, Optional.of(5), Optional.of(SECOND)));
    world.change("a", false, false, List.of());
    world.settle(FIRST);

    assertThat(terms(world)).isEqualTo(Terms.NONE);
  }

  @Test
  void drains_waitForChecksIfThatIsOn_butNotForALostWatch() {
    AdmissionLimits all = new AdmissionLimits(SHIPPED.maxDelay(), true);
    BindingsWorld world = settled(all, view("a", "web", false, "freeze"));
    assertThat(terms(world).drainsHeld()).isTrue();

    world.send(new BindingsEvent.WatchLost());
    assertThat(terms(world).drainsHeld()).as("as before").isTrue();
    world.send(new BindingsEvent.Synced());
    world.change("a", true, false, List.of(READY));
    world.settle(FIRST);
    world.send(new BindingsEvent.WatchLost());

    assertThat(terms(world).held()).isPresent();
    assertThat(terms(world).drainsHeld()).isFalse();
  }

  @Test
  void drains_waitForNoCheck_asShipped() {
    BindingsWorld world = settled(SHIPPED, view("a", "web", false, "freeze"));

    assertThat(terms(world).held()).isPresent();
    assertThat(terms(world).drainsHeld()).isFalse();
  }

  @Test
  void binding_thatIsDeleted_goes_althoughAnotherOneHoldsThePool() {
    BindingsWorld world = settled(SHIPPED, view("a", "web", false));
    world.endpoints("api", "10.0.0.5");
    world.create(view("b", "api", false, "freeze"));
    world.settle(FIRST);
    assertThat(world.pool()).isEqualTo(BindingsWorld.addresses("10.0.0.4"));

    world.delete("a");
    world.settle(FIRST);

    assertThat(world.pool()).isEmpty();
    assertThat(world.bindings())
        .extracting(BindingView::key)
        .extracting(BindingKey::name)
        .containsExactly("b");
    assertThat(terms(world).held()).isPresent();
  }

  @Test
  void binding_thatIsDeletedAsAnotherServiceComesToItsNodes_goes_andLeavesThemRecorded() {
    BindingsWorld world = settled(SHIPPED, view("a", "web", false), view("b", "api", false));
    world.delete("a");
    world.endpoints("api", "10.0.0.4");

    world.settle(FIRST);

    assertThat(world.bindings()).hasSize(1);
    assertThat(world.binding("b").added()).isEqualTo(BindingsWorld.addresses("10.0.0.4"));
    world.delete("b");
    world.settle(FIRST);
    assertThat(world.pool()).isEmpty();
  }

  /** Its own interval of an hour must not keep its addresses that long. */
  @Test
  void binding_thatIsDeleted_saysNothingOfThePaceAnyMore() {
    BindingsWorld world = settled(SHIPPED, paced("a", 5, Duration.ofHours(1)));

    world.delete("a");
    world.goOn(FIRST);

    assertThat(world.state().sent().pools()).isNotEmpty();
    assertThat(terms(world)).isEqualTo(Terms.NONE);
  }
}
