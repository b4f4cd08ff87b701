package io.poolkeeper.pool;

import static io.poolkeeper.pool.EndingBindingTest.API;
import static io.poolkeeper.pool.EndingBindingTest.API_MOVES;
import static io.poolkeeper.pool.EndingBindingTest.WEB;
import static io.poolkeeper.pool.EndingBindingTest.WEB_ENDS;
import static io.poolkeeper.pool.PoolFixtures.API_2;
import static io.poolkeeper.pool.PoolFixtures.CONFLICT;
import static io.poolkeeper.pool.PoolFixtures.WEB_1;
import static io.poolkeeper.pool.PoolFixtures.pool;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** All short histories of a pool that is held while one of its bindings ends. */
class EndingBindingHistoriesTest {
  private record Step(Consumer<PoolWorld> happens, Predicate<PoolWorld> canHappen) {}

  private static final List<Step> STEPS =
      List.of(
          step(world -> world.desire(WEB_1, WEB)),
          step(world -> world.desire(WEB_1, WEB_ENDS)),
          step(world -> world.desire(API_2, API)),
          step(world -> world.desire(API_2, API_MOVES)),
          step(world -> world.bind(PoolFixtures.HELD)),
          step(world -> world.bind(PoolFixtures.DRAINS_HELD)),
          step(world -> world.bind(Terms.NONE)),
          step(world -> world.leaving("n5")),
          step(PoolWorld::listNow),
          new Step(PoolWorld::fireTimer, PoolWorld::timerRuns),
          new Step(PoolWorld::deliverGrant, PoolWorld::grantIsOnItsWay),
          new Step(PoolWorld::finishGet, PoolWorld::getIsPending),
          new Step(PoolWorld::finishPut, PoolWorld::putIsPending),
          new Step(
              world -> world.fail(CONFLICT),
              world -> world.getIsPending() || world.putIsPending()));

  private static Step step(Consumer<PoolWorld> happens) {
    return new Step(happens, world -> true);
  }

  @Test
  void everyShortHistory_endsWithoutWhatOnlyEndedBindingsHaveAdded_heldOrNot() {
    PoolWorld world = new PoolWorld(pool("n4=10.0.0.4", "n5=10.0.0.5"));
    world.listNow();
    world.desire(WEB_1, WEB);
    world.desire(API_2, API);
    world.bind(PoolFixtures.HELD);
    world.desire(API_2, API_MOVES);
    world.desire(WEB_1, WEB_ENDS);

    assertThat(explore(world, 4)).isGreaterThan(5_000);
  }

  private static int explore(PoolWorld before, int depth) {
    PoolWorld world = before.copy();
    world.settle();
    assertThat(world.ended()).as("%s", world).isTrue();
    world.bind(Terms.NONE);
    world.settle();
    assertThat(world.asWanted()).as("%s", world).isTrue();
    world.assertListingHeals("a short history");
    int histories = 1;
    for (Step step : STEPS) {
      if (depth > 0 && step.canHappen().test(before)) {
        PoolWorld next = before.copy();
        step.happens().accept(next);
        histories += explore(next, depth - 1);
      }
    }
    return histories;
  }
}
