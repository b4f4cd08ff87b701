package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolDriver.settled;
import static io.poolkeeper.pool.PoolFixtures.ADMITTED;
import static io.poolkeeper.pool.PoolFixtures.HELD;
import static io.poolkeeper.pool.PoolFixtures.withoutNetwork;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A large removal waits for the brake; additions and admin states do not. */
class BrakedPoolTest {
  private static final PoolLimits BRAKING =
      PoolFixtures.limits(new Brake(500, 3, Duration.ofSeconds(15)), false);
  private static final String FOUR = "n1 n2 n3 n4";
  private static final String THREE_GO = "put -2 -3 -4";

  private final PoolDriver pool = settled(BRAKING, FOUR).after(3600);

  @Test
  void removal_tooLarge_waitsAndSaysSoOnce_andIsWrittenThenWithoutARetry() {
    String text =
        "The removal of 3 of 4 entries from backend pool lb-1/default-web waits 15 s"
            + " (brake.delay), as it is so large. Additions go on.";

    assertThat(pool.web("n1").effects())
        .singleElement()
        .hasToString(
            ("Braked[text=%s, events=[ObjectEvent[about=default/web, type=WARNING,"
                    + " reason=LoadBalancerBackendPoolRemovalHeld, message=%s]]]")
                .formatted(text, text));
    assertThat(pool.status().activity().until()).contains(pool.now().plusSeconds(15));
    pool.after(5).shows(FOUR).out("").is("Braked", 0).wakes(10);
    pool.timer().out("permit UPDATE").granted().read(FOUR).out(THREE_GO);
    pool.written().has("web updated").is("Idle");
  }

  @Test
  void removal_thatGrows_doesNotWaitAnew() {
    pool.web("n1").after(9).web("").is("Braked", 0).wakes(6);
  }

  @Test
  void removal_takenBack_isWrittenAtOnceAsFarAsItIsSmall() {
    pool.web("n1").after(5).web("n1 n2").is("Gathering", 0).wakes(0.1);
  }

  @Test
  void addition_besideAHeldRemoval_goesAtOnce_andTheRemovalWhenItsTimeHasCome() {
    pool.web("n1").after(5).web("n1 n5").wakes(0.1).writing(FOUR).out("put +n5");

    pool.written().has("web updated").is("Braked", 0).wakes(9.9);
    pool.writing(FOUR + " n5").out(THREE_GO);
  }

  /** The name of an entry that stays for now is taken. */
  @Test
  void addition_ofTheNameOfAHeldEntry_getsAnotherOne() {
    pool.web("n1 n2=9").writing(FOUR).out("put +n2-10-0-0-9=9");
  }

  @Test
  void read_thatShowsALargeRemovalFirst_putsTheChangeBackWithoutARetry() {
    pool.web("n1 n2 n3").reading().web("").read(FOUR).has("return UNCHANGED");

    pool.is("Braked", 0).wakes(15);
  }

  @Test
  void drain_whileBraked_goesAlone() {
    pool.web("n1").leave("n4").out("permit DRAIN 1/4").granted().read(FOUR).has("put n4/Down");

    pool.written().is("Braked", 0).wakes(15);
  }

  @Test
  void repair_ofWhatOthersAdded_waits_too() {
    PoolDriver small = settled(BRAKING, "n1").after(3600).shows("n1 x=7 y=8 z=9").has("braked");

    small.is("Braked").wakes(15).writing("n1 x=7 y=8 z=9").out("put -7 -8 -9");
  }

  @Test
  void removal_wantedWhileAWatchWasLostOrDuringAHold_waitsOnceThatHasEnded() {
    PoolDriver held = pool.copy().send(HELD).web("n1").after(60);

    pool.send(new PoolEvent.WatchLost(100)).web("n1").after(60).send(new PoolEvent.WatchesLive());
    pool.has("braked").is("Braked", 0).wakes(15).writing(FOUR).out(THREE_GO);
    held.send(ADMITTED).has("braked").is("Braked", 0).wakes(15).writing(FOUR);
    held.out(THREE_GO + " marked");
  }

  /** Half of what is there then may go at once. */
  @Test
  void move_toAsManyOtherNodes_addsFirst_andRemovesAsSoonAsTheSpacingAllows() {
    pool.web("n5 n6 n7 n8").writing(FOUR).out("put +n5 +n6 +n7 +n8").written().wakes(2);

    pool.writing(FOUR + " n5 n6 n7 n8").out("put -1 -2 -3 -4");
  }

  /** An addition that Azure would refuse does not make the removal be forgotten. */
  @Test
  void removal_besideAnAdditionWithoutANetwork_isWrittenWhenItsTimeHasCome() {
    pool.web("n1 n5").reading().read(withoutNetwork(FOUR)).wakes(14.9);

    pool.reading().read(withoutNetwork(FOUR)).out(THREE_GO);
  }
}
