package io.poolkeeper.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How often a pool has failed in a row, with the shipped settings. */
class PoolWireTest {
  private final PoolWire wire = new PoolWire(Scene.SHIPPED);

  private void changes(double seconds) {
    wire.wanted(true, Scene.at(seconds));
  }

  private void reads(double seconds) {
    wire.reads(Scene.at(seconds));
  }

  private void fails(double seconds, boolean retriable) {
    wire.failed(retriable, false, Optional.empty(), Scene.at(seconds));
  }

  /** The last moment at which members wait for the next try. */
  private Instant waits(double seconds) {
    return wire.excuses
        .during(Scene.at(seconds), Instant.MAX)
        .map(Excuses.Span::to)
        .max(Comparator.naturalOrder())
        .orElseThrow();
  }

  @Test
  void failed_aChangeHasComeDuringARepair_waitsAsAfterARepair() {
    reads(10);
    changes(11);
    fails(12, true);

    assertThat(waits(12)).isEqualTo(Scene.at(12 + 15));
  }

  @Test
  void failed_aChangeHasComeDuringARetry_waitsAsTheRetriesTogether() {
    changes(10);
    reads(10);
    fails(11, true);
    reads(13);
    changes(14);
    fails(15, true);

    assertThat(waits(15)).isEqualTo(Scene.at(15 + 8.8));
  }

  @Test
  void failed_aChangeHasComeBeforeTheRetry_waitsAsTheFirst() {
    changes(10);
    reads(10);
    fails(11, true);
    changes(12);
    reads(13);
    fails(15, true);

    // A drain waits as after two failures in any case.
    assertThat(waits(15.1)).isEqualTo(Scene.at(15 + 2.2));
  }

  @Test
  void failed_adminStatesAloneWereWritten_membersWaitAsAfterAllFailures() {
    reads(10);
    fails(11, false);
    reads(30);
    wire.writes(Scene.at(30));
    wire.wrote(false, Scene.at(31));
    reads(50);
    fails(51, false);

    assertThat(waits(51)).isEqualTo(Scene.at(51 + 30));
  }
}
