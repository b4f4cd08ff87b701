package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.LIMITS;
import static io.poolkeeper.pool.PoolFixtures.POOL;
import static io.poolkeeper.pool.PoolFixtures.WEB_1;
import static io.poolkeeper.pool.PoolFixtures.desire;
import static io.poolkeeper.pool.PoolFixtures.emitUpdated;
import static io.poolkeeper.pool.PoolFixtures.granted;
import static io.poolkeeper.pool.PoolFixtures.leaving;
import static io.poolkeeper.pool.PoolFixtures.unchanged;
import static io.poolkeeper.pool.PoolFixtures.well;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.ObjectEvent;
import io.poolkeeper.turnstile.Lane;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A large removal waits for the brake; additions and admin states do not. */
class BrakedPoolTest {
  private static final Duration DELAY = Duration.ofSeconds(15);
  private static final PoolLimits BRAKING =
      new PoolLimits(
          LIMITS.interval(),
          LIMITS.minInterval(),
          LIMITS.leadingEdge(),
          LIMITS.window(),
          LIMITS.verifyAfter(),
          LIMITS.resync(),
          LIMITS.maxRetries(),
          LIMITS.drain(),
          new Brake(500, 3, DELAY),
          false);
  private static final String[] FOUR = {"n1=10.0.0.1", "n2=10.0.0.2", "n3=10.0.0.3", "n4=10.0.0.4"};
  private static final String[] THREE_GO = {"-10.0.0.2", "-10.0.0.3", "-10.0.0.4"};

  private final PoolDriver pool =
      PoolDriver.settled(BRAKING, WEB_1, FOUR).after(Duration.ofHours(1));
  private final Instant begin = pool.now();

  private static List<String> events(List<PoolEffect> effects) {
    return effects.stream()
        .flatMap(
            effect ->
                effect instanceof PoolEffect.Braked braked
                    ? braked.events().stream()
                    : Stream.empty())
        .map(ObjectEvent::message)
        .toList();
  }

  @Test
  void removal_tooLarge_waitsAndSaysSoOnce() {
    List<PoolEffect> effects = pool.send(desire(WEB_1, "n1=10.0.0.1"));

    assertThat(events(effects))
        .containsExactly(
            "The removal of 3 of 4 entries from backend pool lb-1/default-web waits 15 s"
                + " (brake.delay), as it is so large. Additions go on.");
    assertThat(pool.phase()).isEqualTo(new Phase.Braked(begin.plus(DELAY)));
    assertThat(PoolStatus.of(POOL, pool.state()).state()).isEqualTo("Braked");
    assertThat(PoolStatus.of(POOL, pool.state()).until()).contains(begin.plus(DELAY));
    assertThat(pool.after(Duration.ofSeconds(5)).observed(pool.now(), FOUR)).isEmpty();
  }

  @Test
  void removal_afterTheDelay_isWrittenWithoutARetry() {
    pool.send(desire(WEB_1, "n1=10.0.0.1"));

    pool.toWriting(FOUR);

    assertThat(pool.now()).isEqualTo(begin.plus(DELAY));
    assertThat(pool.effects()).containsExactly(pool.write(THREE_GO));
    assertThat(pool.written()).contains(well(1), emitUpdated(WEB_1));
    assertThat(pool.phase()).isEqualTo(new Phase.Idle());
  }

  @Test
  void removal_thatGrows_doesNotWaitAnew() {
    pool.send(desire(WEB_1, "n1=10.0.0.1"));

    pool.after(Duration.ofSeconds(9)).send(desire(WEB_1));

    assertThat(pool.phase()).isEqualTo(new Phase.Braked(begin.plus(DELAY)));
  }

  @Test
  void removal_takenBack_isWrittenAtOnceAsFarAsItIsSmall() {
    pool.send(desire(WEB_1, "n1=10.0.0.1"));

    pool.after(Duration.ofSeconds(5)).send(desire(WEB_1, "n1=10.0.0.1", "n2=10.0.0.2"));

    assertThat(pool.state().leftovers().held()).isEmpty();
    assertThat(pool.phase()).isEqualTo(new Phase.Gathering(pool.now().plusMillis(100)));
  }

  @Test
  void addition_besideAHeldRemoval_goesAtOnce_andTheRemovalWhenItsTimeHasCome() {
    pool.send(desire(WEB_1, "n1=10.0.0.1"));
    pool.after(Duration.ofSeconds(5)).send(desire(WEB_1, "n1=10.0.0.1", "n5=10.0.0.5"));
    assertThat(pool.phase()).isEqualTo(new Phase.Gathering(pool.now().plusMillis(100)));

    pool.toWriting(FOUR);

    assertThat(pool.effects()).containsExactly(pool.write("+n5=10.0.0.5"));
    assertThat(pool.written()).contains(well(1), emitUpdated(WEB_1));
    assertThat(pool.phase()).isEqualTo(new Phase.Braked(begin.plus(DELAY)));
    assertThat(pool.retries()).containsExactly(0);
    pool.toWriting(Stream.concat(Stream.of(FOUR), Stream.of("n5=10.0.0.5")).toArray(String[]::new));
    assertThat(pool.effects()).containsExactly(pool.write(THREE_GO));
    assertThat(pool.now()).isEqualTo(begin.plus(DELAY));
  }

  /** The name of an entry that stays for now is taken. */
  @Test
  void addition_ofTheNameOfAHeldEntry_getsAnotherOne() {
    pool.send(desire(WEB_1, "n1=10.0.0.1", "n2=10.0.0.9"));

    pool.toWriting(FOUR);

    assertThat(pool.effects()).containsExactly(pool.write("+n2-10-0-0-9=10.0.0.9"));
  }

  @Test
  void read_thatShowsALargeRemovalFirst_putsTheChangeBackWithoutARetry() {
    pool.send(desire(WEB_1, "n1=10.0.0.1", "n2=10.0.0.2", "n3=10.0.0.3"));
    pool.toReading();
    pool.send(desire(WEB_1));

    assertThat(pool.read(FOUR)).contains(unchanged(1)).doesNotContain(well(1));

    assertThat(pool.retries()).containsExactly(0);
    assertThat(pool.phase()).isEqualTo(new Phase.Braked(pool.now().plus(DELAY)));
  }

  @Test
  void drain_whileBraked_goesAlone() {
    pool.send(desire(WEB_1, "n1=10.0.0.1"));

    assertThat(pool.send(new PoolEvent.NodesOutOfService(leaving(1, "n4"), pool.now())))
        .containsExactly(PoolFixtures.drain(Lane.DRAIN, 1, 4));
    pool.send(granted(1));

    assertThat(pool.read(FOUR)).contains(pool.write("n4 Down"));
    pool.written();
    assertThat(pool.phase()).isEqualTo(new Phase.Braked(begin.plus(DELAY)));
  }

  @Test
  void repair_ofWhatOthersAdded_waits_too() {
    String[] more = {"n1=10.0.0.1", "x=10.9.0.1", "y=10.9.0.2", "z=10.9.0.3"};
    PoolDriver small = PoolDriver.settled(BRAKING, WEB_1, "n1=10.0.0.1").after(Duration.ofHours(1));

    List<PoolEffect> effects = small.observed(small.now(), more);

    assertThat(events(effects)).hasSize(1);
    assertThat(small.phase()).isEqualTo(new Phase.Braked(small.now().plus(DELAY)));
    small.toWriting(more);
    assertThat(small.effects()).containsExactly(small.write("-10.9.0.1", "-10.9.0.2", "-10.9.0.3"));
  }

  @Test
  void removal_wantedWhileAWatchWasLost_waitsOnceItIsLive() {
    pool.send(new PoolEvent.WatchLost(100));
    pool.send(desire(WEB_1, "n1=10.0.0.1"));
    pool.after(Duration.ofMinutes(1));
    Instant live = pool.now();

    assertThat(events(pool.send(new PoolEvent.WatchesLive()))).hasSize(1);

    assertThat(pool.phase()).isEqualTo(new Phase.Braked(live.plus(DELAY)));
    pool.toWriting(FOUR);
    assertThat(pool.effects()).containsExactly(pool.write(THREE_GO));
  }

  @Test
  void removal_wantedDuringAHold_waitsOnceThatHasEnded() {
    pool.send(PoolFixtures.HELD);
    pool.send(desire(WEB_1, "n1=10.0.0.1"));
    pool.after(Duration.ofMinutes(1));
    Instant admitted = pool.now();

    assertThat(events(pool.send(PoolFixtures.ADMITTED))).hasSize(1);

    assertThat(pool.phase()).isEqualTo(new Phase.Braked(admitted.plus(DELAY)));
    pool.toWriting(FOUR);
    assertThat(pool.effects()).hasSize(1).first().isInstanceOf(PoolEffect.Write.class);
    assertThat(pool.now()).isEqualTo(admitted.plus(DELAY));
  }

  /** Half of what is there then may go at once. */
  @Test
  void move_toAsManyOtherNodes_addsFirst_andRemovesAsSoonAsTheSpacingAllows() {
    String[] others = {"n5=10.0.0.5", "n6=10.0.0.6", "n7=10.0.0.7", "n8=10.0.0.8"};
    pool.send(desire(WEB_1, others));
    pool.toWriting(FOUR);
    assertThat(pool.effects())
        .containsExactly(pool.write(Stream.of(others).map("+"::concat).toArray(String[]::new)));
    Instant added = pool.now();
    pool.written();

    assertThat(pool.phase()).isEqualTo(new Phase.Gathering(added.plus(LIMITS.minInterval())));
    pool.toWriting(Stream.of(FOUR, others).flatMap(Stream::of).toArray(String[]::new));

    assertThat(pool.effects())
        .containsExactly(pool.write("-10.0.0.1", "-10.0.0.2", "-10.0.0.3", "-10.0.0.4"));
  }

  /** An addition that Azure would refuse does not make the removal be forgotten. */
  @Test
  void removal_besideAnAdditionWithoutANetwork_isWrittenWhenItsTimeHasCome() {
    pool.send(desire(WEB_1, "n1=10.0.0.1", "n5=10.0.0.5"));
    pool.toReading();
    pool.send(PoolFixtures.read(PoolFixtures.withoutNetwork(FOUR)));
    assertThat(pool.phase()).isEqualTo(new Phase.Gathering(begin.plus(DELAY)));

    pool.toReading();

    pool.send(PoolFixtures.read(PoolFixtures.withoutNetwork(FOUR)));
    assertThat(pool.effects()).containsExactly(pool.write(THREE_GO));
  }
}
