package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.ADMITTED;
import static io.poolkeeper.pool.PoolFixtures.POOL;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.Mark;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What carries the mark leaves a pool whose binding is being deleted, and a read proves it. */
class LeavingPoolTest {
  private static final Mark MARK = new Mark(".pk-1");
  private static final String OURS = "n4.pk-1=4";
  private static final String THEIRS = "theirs=4";
  private static final String REMOVE = "put -4 marked.pk-1";

  private final PoolDriver pool = new PoolDriver(PoolFixtures.LIMITS).after(3600);
  private final Instant begin = pool.now();

  private PoolDriver leaves() {
    return leaves(pool.now());
  }

  private PoolDriver leaves(Instant from) {
    return pool.send(
        new PoolEvent.Bind(Optional.of(BoundPool.leaving(POOL, MARK, "default", from))));
  }

  private PoolDriver read(String entries) {
    return pool.timer().out("permit REPAIR").granted().read(entries);
  }

  private void notClear() {
    assertThat(pool.status().attempts().clear()).isEmpty();
  }

  private void clear(Instant from) {
    assertThat(pool.rests().status().attempts().clear()).contains(from);
  }

  @Test
  void leaving_withoutAService_removesMarkedEntriesOnly_andIsClearOnceAReadShowsNone() {
    leaves();
    read(OURS + " " + THEIRS).out(REMOVE).written();
    notClear();

    read(THEIRS);

    clear(begin);
  }

  /** A read that proved an earlier deletion proves nothing of the next one. */
  @Test
  void leaving_again_isClearOnlyAfterAnotherRead() {
    leaves();
    read("").send(ADMITTED);

    leaves(pool.after(3600).now());

    notClear();
    read("");
    clear(begin.plusSeconds(3600).plusMillis(100));
  }

  @Test
  void leaving_whileAWatchIsLost_orAfterAHold_goesOn() {
    pool.send(PoolFixtures.HELD).web("n4").rests().send(new PoolEvent.WatchLost(1));
    leaves().release(PoolFixtures.WEB);

    read(OURS).out(REMOVE);
  }

  @Test
  void read_beforeTheTimeFromWhichItProvesAnything_isMadeAgainThen() {
    Instant from = begin.plusSeconds(60);
    leaves(from);
    read("").wakes(59.9);
    notClear();

    read("");
    clear(from);
  }

  @Test
  void read_whileAnotherClientWrites_provesNothing() {
    leaves().reading().read(PoolFixtures.updating("")).wakes(1);

    notClear();
  }

  /** What a PUT does not find may be something else. */
  @Test
  void pool_thatIsGone_isClear_butNotByAWrite() {
    PoolDriver put = leaves().copy().writing(OURS).failed(404).wakes(11.25);
    assertThat(put.status().attempts().clear()).isEmpty();

    pool.reading().failed(404);

    clear(begin);
  }

  @Test
  void listing_thatShowsNothing_provesNothing() {
    leaves().shows(THEIRS).out("").wakes(0.1);

    notClear();
  }

  @Test
  void read_thatBeganBeforeTheDeletion_provesNothing() {
    pool.send(ADMITTED).web("n4").reading();
    leaves(pool.after(1).now()).read("");

    notClear();
    read("");
    clear(begin.plusMillis(1100));
  }

  /** A network interface beside it. */
  @Test
  void leaving_whereNothingCanBeRemoved_isReadAsOftenAsAPoolIsWrittenAtMost() {
    leaves();
    for (int reads = 0; reads < 3; reads++) {
      read(OURS + " nic").wakes(2);
    }
    notClear();
  }

  @Test
  void leaving_refused_isTriedAgainAsARepairIs() {
    leaves().reading().failed(403).wakes(11.25).writing(OURS).written().has("recovered");

    pool.writing("");
    clear(begin);
  }

  @Test
  void leaving_behindADrain_keepsItsTime_andIsServedByOnePermit() {
    pool.shows("n5 " + OURS).leave("n5");

    leaves().wakes(0.1).timer().granted().read("n5 " + OURS).has("put -4 n5/Down marked.pk-1");
  }

  @Test
  void anotherOwner_endsTheLeaving() {
    leaves().send(ADMITTED).writing(OURS).out("return UNCHANGED").rests();
  }
}
