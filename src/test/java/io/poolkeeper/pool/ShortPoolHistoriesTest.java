package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.API_2;
import static io.poolkeeper.pool.PoolFixtures.CONFLICT;
import static io.poolkeeper.pool.PoolFixtures.FORBIDDEN;
import static io.poolkeeper.pool.PoolFixtures.WEB;
import static io.poolkeeper.pool.PoolFixtures.WEB_1;
import static io.poolkeeper.pool.PoolFixtures.exactly;
import static io.poolkeeper.pool.PoolFixtures.pool;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every short history of a pool: {@link PoolWorld} watches the rules at every step, and once events
 * stop and ARM behaves, the pool is as wanted by itself, and still after a listing.
 */
class ShortPoolHistoriesTest {
  /** What can happen next. */
  private enum Step {
    WEB_WANTS_N4,
    WEB_WANTS_N5,
    API_WANTS_N4_N5,
    RELEASE_WEB,
    TIMER,
    GRANT,
    READ,
    WRITE,
    FAIL,
    CONFLICT,
    THROTTLE,
    LISTING,
    N4_LEAVES,
    N4_RETURNS,
    HOLD,
    ADMIT,
    PAUSE,
    RESUME,
    OTHERS_PERMIT,
    OTHER_RECOVERS,
    OTHERS_REMOVE_N4,
    STOP;

    boolean canHappen(PoolWorld world) {
      return switch (this) {
        case TIMER -> world.timerRuns();
        case GRANT -> world.grantIsOnItsWay();
        case READ -> world.getIsPending();
        case WRITE -> world.putIsPending();
        case FAIL, CONFLICT, THROTTLE -> world.getIsPending() || world.putIsPending();
        case OTHERS_PERMIT -> !world.halted() && world.permitsOut().isEmpty();
        case WEB_WANTS_N4,
            WEB_WANTS_N5,
            API_WANTS_N4_N5,
            RELEASE_WEB,
            LISTING,
            N4_LEAVES,
            N4_RETURNS,
            HOLD,
            ADMIT,
            PAUSE,
            RESUME,
            OTHER_RECOVERS,
            OTHERS_REMOVE_N4,
            STOP ->
            !world.halted();
      };
    }

    void happen(PoolWorld world) {
      switch (this) {
        case WEB_WANTS_N4 -> world.desire(WEB_1, exactly("n4"));
        case WEB_WANTS_N5 -> world.desire(WEB_1, exactly("n5"));
        case API_WANTS_N4_N5 -> world.desire(API_2, exactly("n4 n5"));
        case RELEASE_WEB -> world.release(WEB);
        case TIMER -> world.fireTimer();
        case GRANT -> world.deliverGrant();
        case READ -> world.finishGet();
        case WRITE -> world.finishPut();
        case FAIL -> world.fail(FORBIDDEN);
        case CONFLICT -> world.fail(PoolFixtures.CONFLICT);
        case THROTTLE -> world.throttle(5_000);
        case LISTING -> world.listNow();
        case N4_LEAVES -> world.leaving("n4");
        case N4_RETURNS -> world.leaving("");
        case HOLD -> world.hold(true);
        case ADMIT -> world.hold(false);
        case PAUSE -> world.pause(true);
        case RESUME -> world.pause(false);
        case OTHERS_PERMIT -> world.othersPermit(true);
        case OTHER_RECOVERS -> world.otherRecovers();
        case OTHERS_REMOVE_N4 -> {
          world.armBecomes(pool(""));
          world.listNow();
        }
        case STOP -> world.stop();
      }
    }
  }

  /** Where a history begins. */
  enum Start {
    FRESH,
    SHOWN,
    WAITING,
    WRITING,
    REMOVING,
    FAILED,
    EXHAUSTED,
    PARKED,
    WRITTEN;

    PoolWorld world() {
      PoolWorld world = this == REMOVING ? new PoolWorld(pool("n4 n5")) : new PoolWorld(pool("n4"));
      steps().forEach(step -> step.happen(world));
      return world;
    }

    private List<Step> steps() {
      return switch (this) {
        case FRESH -> List.of();
        case SHOWN -> List.of(Step.LISTING, Step.WEB_WANTS_N4);
        case WAITING -> List.of(Step.WEB_WANTS_N5, Step.TIMER);
        case WRITING -> List.of(Step.WEB_WANTS_N5, Step.TIMER, Step.GRANT, Step.READ);
        case REMOVING -> List.of(Step.WEB_WANTS_N4, Step.TIMER, Step.GRANT, Step.READ);
        case FAILED -> List.of(Step.WEB_WANTS_N5, Step.TIMER, Step.GRANT, Step.FAIL);
        case EXHAUSTED ->
            Stream.concat(
                    Stream.of(Step.WEB_WANTS_N5),
                    Stream.generate(() -> List.of(Step.TIMER, Step.GRANT, Step.CONFLICT))
                        .limit(3)
                        .flatMap(List::stream))
                .toList();
        case PARKED -> List.of(Step.WEB_WANTS_N5, Step.TIMER, Step.GRANT, Step.THROTTLE);
        case WRITTEN -> List.of(Step.WEB_WANTS_N5, Step.TIMER, Step.GRANT, Step.READ, Step.WRITE);
      };
    }
  }

  private static final Set<Step> ONE_SERVICE =
      unbound(Step.API_WANTS_N4_N5, Step.N4_LEAVES, Step.N4_RETURNS);
  private static final Set<Step> TWO_SERVICES =
      unbound(Step.RELEASE_WEB, Step.STOP, Step.N4_LEAVES, Step.N4_RETURNS);
  private static final Set<Step> A_NODE =
      unbound(Step.API_WANTS_N4_N5, Step.WEB_WANTS_N5, Step.RELEASE_WEB, Step.STOP);
  private static final Set<Step> A_HOLD =
      all(Step.API_WANTS_N4_N5, Step.WEB_WANTS_N4, Step.RELEASE_WEB, Step.CONFLICT, Step.STOP);

  private static final Set<Step> A_PAUSE =
      EnumSet.of(
          Step.WEB_WANTS_N5,
          Step.TIMER,
          Step.GRANT,
          Step.READ,
          Step.WRITE,
          Step.FAIL,
          Step.THROTTLE,
          Step.LISTING,
          Step.N4_LEAVES,
          Step.N4_RETURNS,
          Step.PAUSE,
          Step.RESUME);

  /** A node leaves, and its permit does not come for long. */
  private static final Set<Step> BEHIND_A_DRAIN =
      EnumSet.of(
          Step.WEB_WANTS_N4,
          Step.WEB_WANTS_N5,
          Step.TIMER,
          Step.CONFLICT,
          Step.LISTING,
          Step.N4_LEAVES,
          Step.N4_RETURNS,
          Step.HOLD,
          Step.ADMIT,
          Step.PAUSE,
          Step.RESUME,
          Step.OTHER_RECOVERS,
          Step.OTHERS_REMOVE_N4);

  private static Set<Step> all(Step first, Step... rest) {
    Set<Step> some = EnumSet.complementOf(EnumSet.of(first, rest));
    some.removeAll(EnumSet.of(Step.OTHERS_PERMIT, Step.OTHER_RECOVERS, Step.OTHERS_REMOVE_N4));
    some.removeAll(EnumSet.of(Step.PAUSE, Step.RESUME));
    return some;
  }

  private static Set<Step> unbound(Step first, Step... rest) {
    Set<Step> some = all(first, rest);
    some.removeAll(EnumSet.of(Step.HOLD, Step.ADMIT));
    return some;
  }

  private final Deque<Step> history = new ArrayDeque<>();
  private int histories;

  @ParameterizedTest
  @EnumSource(Start.class)
  void everyShortHistoryOfOneService_keepsTheRulesAndSettles(Start start) {
    explore(start.world(), ONE_SERVICE, length());

    assertThat(histories).isGreaterThan(least());
  }

  @ParameterizedTest
  @EnumSource(Start.class)
  void everyShortHistoryOfTwoServices_keepsTheRulesAndSettles(Start start) {
    explore(start.world(), TWO_SERVICES, length());

    assertThat(histories).isGreaterThan(least());
  }

  @ParameterizedTest
  @EnumSource(Start.class)
  void everyShortHistoryOfANode_keepsTheRulesAndSettles(Start start) {
    explore(start.world(), A_NODE, length());

    assertThat(histories).isGreaterThan(least());
  }

  @ParameterizedTest
  @EnumSource(Start.class)
  void everyShortHistoryOfAHold_keepsTheRulesAndSettles(Start start) {
    explore(start.world(), A_HOLD, length());

    assertThat(histories).isGreaterThan(least());
  }

  @ParameterizedTest
  @EnumSource(Start.class)
  void everyShortHistoryOfAPause_keepsTheRulesAndSettles(Start start) {
    explore(start.world(), A_PAUSE, length());

    assertThat(histories).isGreaterThan(least());
  }

  @ParameterizedTest
  @EnumSource(Start.class)
  void everyShortHistoryBehindADrain_keepsTheRulesAndSettles(Start start) {
    PoolWorld world = start.world();
    if (Step.OTHERS_PERMIT.canHappen(world)) {
      Step.OTHERS_PERMIT.happen(world);
    }
    Step.N4_LEAVES.happen(world);

    explore(world, BEHIND_A_DRAIN, Math.min(4, length()));

    assertThat(histories).isGreaterThan(least());
  }

  int length() {
    return 3;
  }

  /** Histories from one start; that they are so many shows that steps happen. */
  int least() {
    return 50;
  }

  private void explore(PoolWorld world, Set<Step> alphabet, int depth) {
    assertSettles(world);
    if (depth == 0) {
      histories++;
      return;
    }
    for (Step step : alphabet) {
      if (step.canHappen(world)) {
        history.addLast(step);
        PoolWorld next = world.copy();
        try {
          step.happen(next);
        } catch (AssertionError violation) {
          throw new AssertionError("after " + history, violation);
        }
        explore(next, alphabet, depth - 1);
        history.removeLast();
      }
    }
  }

  private void assertSettles(PoolWorld before) {
    PoolWorld world = before.copy();
    world.settle();
    world.hold(false);
    world.pause(false);
    world.settle();
    if (!world.halted() && !world.asWanted()) {
      throw new AssertionError("not as wanted after " + history + ": " + world);
    }
    world.assertListingHeals(history.toString());
  }
}
