package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.POOL;
import static io.poolkeeper.pool.PoolFixtures.T0;
import static io.poolkeeper.pool.PoolFixtures.granted;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.Mark;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.turnstile.Lane;
import io.poolkeeper.turnstile.Priority;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What carries the mark leaves a pool whose binding is being deleted, and a read proves it. */
class LeavingPoolTest {
  private static final Mark MARK = new Mark(".pk-0123456789abcdef");
  private static final String OURS = "n4.pk-0123456789abcdef=10.0.0.4";
  private static final String THEIRS = "theirs=10.0.0.4";
  private static final PoolEffect REPAIR = new PoolEffect.RequestTurn(Priority.of(Lane.REPAIR));
  private static final Duration HOUR = Duration.ofHours(1);

  private final PoolDriver pool = new PoolDriver(PoolFixtures.LIMITS).after(HOUR);

  private void leaves(Instant from) {
    pool.send(new PoolEvent.Bind(Optional.of(BoundPool.leaving(POOL, MARK, from))));
  }

  private PoolStatus status() {
    return PoolStatus.of(POOL, pool.state());
  }

  private void read(String... entries) {
    assertThat(pool.fire()).containsExactly(REPAIR);
    pool.send(granted(1));
    pool.read(entries);
  }

  @Test
  void leaving_withoutAService_removesMarkedEntriesOnly_andIsClearOnceAReadShowsNone() {
    leaves(pool.now());
    read(OURS, THEIRS);
    assertThat(pool.effects().getLast())
        .isInstanceOfSatisfying(
            PoolEffect.Write.class,
            write ->
                assertThat(write.edit())
                    .isEqualTo(
                        PoolEdit.of(Set.of(Address.of("10.0.0.4")), Map.of(), Optional.of(MARK))));
    pool.written();
    assertThat(status().clear()).isEmpty();

    read(THEIRS);

    assertThat(status().clear()).contains(T0.plus(HOUR));
    assertThat(pool.state().wakeAt()).isEmpty();
  }

  /** A read that proved an earlier deletion proves nothing of the next one. */
  @Test
  void leaving_again_isClearOnlyAfterAnotherRead() {
    leaves(pool.now());
    read();
    pool.send(PoolFixtures.ADMITTED);

    leaves(pool.after(HOUR).now());

    assertThat(status().clear()).isEmpty();
    read();
    assertThat(status().clear()).contains(T0.plus(HOUR).plus(HOUR).plusMillis(100));
  }

  @Test
  void leaving_whileAWatchIsLost_goesOn() {
    pool.send(new PoolEvent.WatchLost(1));
    leaves(pool.now());

    read(OURS);

    assertThat(pool.effects()).hasAtLeastOneElementOfType(PoolEffect.Write.class);
  }

  @Test
  void read_beforeTheTimeFromWhichItProvesAnything_isMadeAgainThen() {
    Instant from = pool.now().plusSeconds(60);
    leaves(from);
    read();
    assertThat(status().clear()).isEmpty();

    assertThat(pool.state().wakeAt()).contains(from);

    read();
    assertThat(status().clear()).contains(from);
    assertThat(pool.state().wakeAt()).isEmpty();
  }

  @Test
  void read_whileAnotherClientWrites_provesNothing() {
    leaves(pool.now());
    pool.fire();
    pool.send(granted(1));
    pool.send(new PoolEvent.ReadDone(() -> PoolFixtures.updating()));

    assertThat(status().clear()).isEmpty();
    assertThat(pool.state().wakeAt()).contains(pool.now().plusSeconds(1));
  }

  @Test
  void pool_thatIsGone_isClear() {
    leaves(pool.now());
    pool.fire();
    pool.send(granted(1));

    pool.failed(new ArmFailure(ArmFailure.Kind.RESPONSE, 404, "NotFound", "gone"));

    assertThat(status().clear()).contains(T0.plus(HOUR));
    assertThat(pool.state().wakeAt()).isEmpty();
  }

  @Test
  void listing_thatShowsNothing_provesNothing() {
    leaves(pool.now());

    List<PoolEffect> effects = pool.observed(pool.now(), "theirs=10.0.0.4");

    assertThat(effects).isEmpty();
    assertThat(status().clear()).isEmpty();
    assertThat(pool.state().wakeAt()).isPresent();
  }

  @Test
  void read_thatBeganBeforeTheDeletion_provesNothing() {
    pool.send(PoolFixtures.ADMITTED);
    pool.send(PoolFixtures.desire(PoolFixtures.WEB_1, "n4=10.0.0.4"));
    pool.toReading();
    leaves(pool.after(Duration.ofSeconds(1)).now());

    pool.read();

    assertThat(status().clear()).isEmpty();
    read();
    assertThat(status().clear()).isPresent();
  }

  /** What a PUT does not find may be something else. */
  @Test
  void write_thatIsNotFound_provesNothing() {
    leaves(pool.now());
    read(OURS);

    pool.failed(PoolFixtures.NOT_FOUND);

    assertThat(status().clear()).isEmpty();
    assertThat(pool.state().wakeAt()).contains(pool.now().plus(PoolFixtures.MIN_INTERVAL));
  }

  /** A network interface beside it. */
  @Test
  void leaving_whereNothingCanBeRemoved_isReadAsOftenAsAPoolIsWrittenAtMost() {
    leaves(pool.now());
    for (int reads = 0; reads < 3; reads++) {
      read(OURS, "nic");
      assertThat(pool.state().wakeAt()).contains(pool.now().plus(PoolFixtures.MIN_INTERVAL));
    }
    assertThat(status().clear()).isEmpty();
  }

  @Test
  void leaving_refused_isTriedAgainAsARepairIs() {
    leaves(pool.now());
    pool.toReading();

    pool.failed(PoolFixtures.FORBIDDEN);

    assertThat(pool.state().wakeAt()).contains(pool.now().plusMillis(11_250));
    pool.toWriting(OURS).written();
    pool.toReading().read();
    assertThat(status().clear()).isPresent();
    assertThat(pool.state().failing()).isEmpty();
  }

  @Test
  void leaving_behindADrain_keepsItsTime_andIsServedByOneTurn() {
    pool.observed(pool.now(), "n5=10.0.0.5", OURS);
    pool.send(new PoolEvent.NodesOutOfService(PoolFixtures.leaving(1, "n5"), pool.now()));
    Instant from = pool.now();
    leaves(from);
    assertThat(pool.state().wakeAt()).contains(from.plus(PoolFixtures.WINDOW));
    pool.fire();
    pool.send(granted(1));

    pool.read("n5=10.0.0.5", OURS);

    assertThat(pool.phase())
        .isInstanceOfSatisfying(
            Phase.Writing.class,
            writing -> {
              assertThat(writing.edit().remove()).containsExactly(Address.of("10.0.0.4"));
              assertThat(writing.edit().adminStates()).containsOnlyKeys("n5");
            });
  }

  @Test
  void leaving_ofAPoolThatWasHeld_isNot() {
    pool.send(PoolFixtures.HELD);
    pool.send(PoolFixtures.desire(PoolFixtures.WEB_1, "n4=10.0.0.4"));
    assertThat(pool.state().wakeAt()).isEmpty();
    leaves(pool.now());
    pool.send(new PoolEvent.Release(PoolFixtures.WEB));

    read(OURS);

    assertThat(pool.effects()).hasAtLeastOneElementOfType(PoolEffect.Write.class);
  }

  @Test
  void anotherOwner_endsTheLeaving() {
    leaves(pool.now());

    pool.send(PoolFixtures.ADMITTED);

    assertThat(pool.toReading().read(OURS)).containsExactly(PoolFixtures.unchanged(1));
    assertThat(pool.state().wakeAt()).isEmpty();
  }
}
