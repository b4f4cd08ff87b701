package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.API;
import static io.poolkeeper.pool.PoolFixtures.API_2;
import static io.poolkeeper.pool.PoolFixtures.CONFLICT;
import static io.poolkeeper.pool.PoolFixtures.FORBIDDEN;
import static io.poolkeeper.pool.PoolFixtures.NOT_FOUND;
import static io.poolkeeper.pool.PoolFixtures.WEB;
import static io.poolkeeper.pool.PoolFixtures.WEB_1;
import static io.poolkeeper.pool.PoolFixtures.exactly;
import static io.poolkeeper.pool.PoolFixtures.pool;
import static io.poolkeeper.pool.PoolFixtures.unknown;
import static io.poolkeeper.pool.PoolFixtures.updating;
import static io.poolkeeper.pool.PoolFixtures.withRules;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.AdminState;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.ServiceKey;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Long random histories of a pool: {@link PoolWorld} watches the rules at every step, and once
 * events stop and ARM behaves, the pool is as wanted by itself, and still after a listing.
 */
class PoolHistoriesTest {
  @Test
  void longRandomHistories_keepTheRulesAndSettle() {
    int puts = 0;
    int told = 0;
    for (long seed = 0; seed < 2_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      PoolWorld world = new PoolWorld(pool("n4 stale=9"));
      Numbers numbers = new Numbers();
      try {
        for (int step = 0; step < 200; step++) {
          somethingHappens(world, random, numbers, KINDS);
        }
        world.watchesLive();
        world.armBecomes(healed(world.arm()));
        world.settle();
        world.assertListingHeals("seed " + seed);
      } catch (AssertionError violation) {
        throw new AssertionError("seed " + seed, violation);
      }
      puts += world.puts();
      told += world.emitted();
    }
    assertThat(puts).isGreaterThan(5_000);
    assertThat(told).isGreaterThan(5_000);
  }

  /** Spec 2, Testing Strategy: nodes of other pools may leave and return as often as they like. */
  @Test
  void testing_regression_poolWithoutNodesOutOfService_doesExactlyTheSameInEveryHistory() {
    int puts = 0;
    for (long seed = 0; seed < 500; seed++) {
      PoolWorld without = regression(seed, 0);
      PoolWorld with = regression(seed, 3);
      assertThat(doings(with)).as("seed %d", seed).isEqualTo(doings(without));
      assertThat(with.arm()).isEqualTo(without.arm());
      puts += without.puts();
    }
    assertThat(puts).isGreaterThan(500);
  }

  /** With as many snapshots in ten steps in which no node of the pool leaves. */
  private static PoolWorld regression(long seed, int snapshots) {
    SplittableRandom random = new SplittableRandom(seed);
    SplittableRandom others = new SplittableRandom(seed);
    PoolWorld world = new PoolWorld(pool("n4 stale=9"));
    Numbers numbers = new Numbers();
    for (int step = 0; step < 100; step++) {
      if (others.nextInt(10) < snapshots && !timerIsLate(world)) {
        world.leaving(others.nextBoolean() ? "" : "n8 n9");
      }
      somethingHappens(world, random, numbers, KINDS - 1);
      if (world.arm().count(AdminState.DOWN) > 0) {
        world.armBecomes(pool("n4 nic"));
      }
    }
    return world;
  }

  /** Any event makes up for a timer that comes late, one that says nothing new as well. */
  private static boolean timerIsLate(PoolWorld world) {
    return world.state().wakeAt().filter(due -> !due.isAfter(world.now())).isPresent();
  }

  /**
   * All but how far the pool has followed the nodes, that it must be listed to know, and what was
   * found: that is said when the pool hears of anything for the first time after it was seen.
   */
  private static List<PoolEffect> doings(PoolWorld world) {
    return world.effects().stream()
        .filter(effect -> !(effect instanceof PoolEffect.Found))
        .filter(
            effect ->
                !(effect instanceof PoolEffect.Followed
                    || (effect instanceof PoolEffect.Report report
                        && report.report() == PoolReport.READ_BACK_WANTED)))
        .toList();
  }

  /** Assignment numbers only ever grow. */
  private static final class Numbers {
    private Ownership web = WEB_1;
    private Ownership api = API_2;
    private long next = 3;
  }

  /** All kinds of what can happen; the last one is that nodes leave. */
  private static final int KINDS = 18;

  private static void somethingHappens(
      PoolWorld world, SplittableRandom random, Numbers numbers, int kinds) {
    world.pass(random.nextInt(4) == 0 ? random.nextLong(40_000) : random.nextLong(50));
    switch (random.nextInt(kinds)) {
      case 17 -> world.leaving(LEAVING.get(random.nextInt(LEAVING.size())));
      case 16 -> {
        if (random.nextInt(4) == 0) {
          world.watchLost(numbers.next);
        } else {
          world.watchesLive();
        }
      }
      case 0, 1 -> world.desire(numbers.web, level(random));
      case 2 -> world.desire(numbers.api, level(random));
      case 3 -> releaseOrMove(world, random, numbers);
      case 4 -> world.othersPermit(random.nextBoolean());
      case 5 -> somebodyElseWrites(world, random);
      case 6 -> {
        if (world.listingIsUnderWay()) {
          world.finishListing();
        } else {
          world.startListing();
        }
      }
      case 7 -> {
        if (random.nextInt(100) == 0) {
          world.stop();
        }
      }
      default -> workGoesOn(world, random);
    }
  }

  private static final List<String> LEAVING = List.of("", "n4", "n4 n5");

  private static Level level(SplittableRandom random) {
    return switch (random.nextInt(6)) {
      case 0 -> unknown();
      case 1 -> exactly("");
      case 2 -> exactly("n4");
      case 3 -> exactly("N5");
      case 4 -> exactly("n4 n5");
      default -> exactly("n5 n6");
    };
  }

  private static void releaseOrMove(PoolWorld world, SplittableRandom random, Numbers numbers) {
    ServiceKey service = random.nextBoolean() ? WEB : API;
    world.release(service);
    if (service.equals(WEB)) {
      numbers.web = PoolFixtures.owns(WEB, "uid-" + random.nextInt(2), numbers.next++, "aweb");
    } else {
      numbers.api = PoolFixtures.owns(API, "uid-api", numbers.next++, "aapi");
    }
  }

  private static void somebodyElseWrites(PoolWorld world, SplittableRandom random) {
    switch (random.nextInt(13)) {
      case 12 -> world.armBecomes(PoolFixtures.withoutNetwork("n4"));
      case 0 -> world.armBecomes(pool("n4 drift=10.0.0." + random.nextInt(10, 20)));
      case 1 -> world.armBecomes(withRules(Set.of("aapi-TCP-80"), "n4"));
      case 2 -> world.armBecomes(pool("n4/Down nic"));
      case 3 -> world.armBecomes(updating("n5"));
      case 4 -> world.armBecomes(pool(""));
      default -> world.armBecomes(healed(world.arm()));
    }
  }

  private static PoolView healed(PoolView view) {
    return new PoolView(
        view.id(),
        view.etag(),
        false,
        view.ipBased() ? view.entries() : List.of(),
        PoolFixtures.RULES,
        true);
  }

  private static void workGoesOn(PoolWorld world, SplittableRandom random) {
    if (world.grantIsOnItsWay()) {
      world.deliverGrant();
    } else if (world.getIsPending() || world.putIsPending()) {
      switch (random.nextInt(10)) {
        case 0 -> world.fail(random.nextBoolean() ? FORBIDDEN : CONFLICT);
        case 3 -> world.throttle(random.nextInt(-5_000, 60_000));
        case 4 -> world.fail(CONFLICT);
        case 1 -> world.fail(NOT_FOUND);
        case 2 -> world.failThoughWritten(CONFLICT);
        default -> {
          if (world.getIsPending()) {
            world.finishGet();
          } else {
            world.finishPut();
          }
        }
      }
    } else if (world.timerRuns()) {
      world.fireTimer();
    }
  }
}
