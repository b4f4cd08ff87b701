package io.poolkeeper.lab.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The judge finds a second write of a pool within the interval, a second here. */
class SpacingTest {
  private static final Spacing FAST = new Spacing(Duration.ofSeconds(1), false);
  private static final Spacing SLOW = new Spacing(Duration.ofSeconds(1), true);

  /** An attempt whose write arrives so long after its read. */
  private static Requests attempt(Requests requests, long at, long onTheWay, String pool) {
    return requests.add(at, "GET", pool, 200, "").add(at + onTheWay, "PUT", pool, 200, "");
  }

  private static Requests twice(long firstOnTheWay, long second) {
    return attempt(attempt(new Requests(), 0, firstOnTheWay, "lb/a"), second - 5, 5, "lb/a");
  }

  @Test
  void tooSoon_withinTheInterval_isSeen() {
    assertThat(FAST.tooSoon(twice(5, 954).list())).containsExactly("lb/a twice within 949 ms");
    assertThat(SLOW.tooSoon(twice(5, 954).list())).hasSize(1);
  }

  @Test
  void tooSoon_anIntervalApart_isFine() {
    assertThat(FAST.tooSoon(twice(5, 955).list())).isEmpty();
    assertThat(SLOW.tooSoon(twice(5, 955).list())).isEmpty();
  }

  @Test
  void tooSoon_firstWriteWasLongOnTheWay_countsFromItsRead() {
    assertThat(FAST.tooSoon(twice(70, 1_000).list())).isEmpty();
    assertThat(FAST.tooSoon(twice(70, 999).list())).containsExactly("lb/a twice within 929 ms");
  }

  @Test
  void tooSoon_withLatency_countsFromTheWriteOnly() {
    assertThat(SLOW.tooSoon(twice(70, 1_000).list())).containsExactly("lb/a twice within 930 ms");
  }

  @Test
  void tooSoon_otherPoolsAndRefusedWrites_areFine() {
    Requests requests = attempt(attempt(new Requests(), 0, 5, "lb/a"), 10, 5, "lb/b");
    requests.add(20, "GET", "lb/a", 200, "").add(25, "PUT", "lb/a", 409, "Busy");

    assertThat(FAST.tooSoon(requests.list())).isEmpty();
  }
}
