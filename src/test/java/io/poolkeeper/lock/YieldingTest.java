package io.poolkeeper.lock;

import static io.poolkeeper.lock.LockDriver.LIMITS;
import static io.poolkeeper.lock.LockDriver.T0;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.ServiceKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When the Lease is left to a cloud provider that waits for it. A tail lasts for 5 s. */
class YieldingTest {
  private static ServiceKey service(String name) {
    return new ServiceKey("default", name);
  }

  private static Instant at(long second) {
    return T0.plusSeconds(second);
  }

  private static Yielding complained(Yielding before, String service, long second) {
    return before.complained(service(service), at(second), at(second), LIMITS);
  }

  private static long membersFrom(Yielding yielding, long second) {
    return yielding.membersFrom(at(second)).getEpochSecond() - T0.getEpochSecond();
  }

  /** When members are held, past and planned: "0-7 12-17". */
  private static String held(Yielding yielding) {
    return yielding.windows().spans().stream()
        .map(one -> "%s-%s".formatted(second(one.from()), second(one.to())))
        .collect(Collectors.joining(" "));
  }

  private static long second(Instant time) {
    return Duration.between(T0, time).toSeconds();
  }

  /** Tries at 5, 15, 35, 75, 155, 315 s after the first one; then 300 s apart. */
  private static Yielding row(int length) {
    Yielding yielding = Yielding.NONE;
    long second = 0;
    for (int i = 0; i < length; i++) {
      yielding = complained(yielding, "web", second);
      second += Math.min(300, 5L << i);
    }
    return yielding;
  }

  /** The second and the third follow so soon that the bound takes from their tails. */
  @ParameterizedTest
  @CsvSource({
    "1, 0-7",
    "2, 0-5 12-17",
    "3, 0-5 12-15 30-37",
    "4, 12-15 30-35 69-77",
    "5, 69-75 149-157",
    "6, 149-155 309-317",
    "7, 309-315 609-617",
    "8, 609-615 909-917"
  })
  void complained_rowOfFailures_windowIsKnownInAdvance(int row, String held) {
    assertThat(held(row(row))).isEqualTo(held);
  }

  @Test
  void membersFrom_withinAWindow_isItsEnd() {
    Yielding yielding = row(2);

    assertThat(membersFrom(yielding, 11)).isEqualTo(11);
    assertThat(membersFrom(yielding, 12)).isEqualTo(17);
    assertThat(membersFrom(yielding, 16)).isEqualTo(17);
    assertThat(membersFrom(yielding, 17)).isEqualTo(17);
    assertThat(yielding.windows().nextFrom(at(11))).isEqualTo(at(12));
    assertThat(yielding.windows().nextFrom(at(16))).isEqualTo(at(12));
    assertThat(yielding.windows().nextFrom(at(17))).isEqualTo(Instant.MAX);
  }

  @Test
  void complained_manyServices_atMostTenOfAnyThirtySecondsAreHeld() {
    Yielding yielding = complained(Yielding.NONE, "a", 0);
    assertThat(held(yielding)).isEqualTo("0-7");

    yielding = complained(yielding, "b", 10);
    assertThat(held(yielding)).as("its free window, no tail").isEqualTo("0-7 14-17");

    yielding = complained(yielding, "c", 20);
    assertThat(held(yielding)).as("nothing is left").isEqualTo("0-7 14-17");

    yielding = complained(yielding, "d", 30);
    assertThat(held(yielding)).as("as much again as has expired").isEqualTo("0-7 14-17 30-37");
  }

  @Test
  void complained_anotherTryInTime_itsFreeWindowComesBeforeATail() {
    Yielding yielding = row(2);
    assertThat(held(yielding)).as("the tail from 12 to 14").isEqualTo("0-5 12-17");

    yielding = complained(yielding, "api", 6);

    assertThat(held(yielding)).isEqualTo("0-5 10-13 14-16");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void complained_atRandom_noThirtySecondsHoldMoreThanTen(long seed) {
    Random random = new Random(seed);
    Yielding yielding = Yielding.NONE;
    boolean[] held = new boolean[3_000];
    for (int i = 0; i < held.length; i++) {
      Instant now = T0.plusMillis(100L * i);
      if (random.nextInt(5) == 0) {
        ServiceKey service = service("s" + random.nextInt(40));
        Instant then = now.minusMillis(100L * random.nextInt(60));
        yielding =
            random.nextInt(3) > 0
                ? yielding.complained(service, then, now, LIMITS)
                : yielding.served(service, now, LIMITS);
        assertThat(yielding.windows().spans()).hasSizeLessThanOrEqualTo(Windows.SPANS);
      }
      held[i] = yielding.membersFrom(now).isAfter(now);
    }

    int most = 0;
    int sum = 0;
    for (int i = 0; i < held.length; i++) {
      sum += (held[i] ? 1 : 0) - (i >= 300 && held[i - 300] ? 1 : 0);
      most = Math.max(most, sum);
    }
    assertThat(most).as("tenths of a second").isEqualTo(100);
  }

  @Test
  void complained_sameFailureHeardAgainOrAnotherAtOnce_isOneWindow() {
    Yielding once = complained(Yielding.NONE, "web", 0);

    assertThat(complained(once, "web", 2)).isEqualTo(once);
    assertThat(held(complained(once, "api", 0))).isEqualTo("0-7");
  }

  @Test
  void complained_afterFiveMinutesWithoutNews_beginsANewRow() {
    Yielding yielding = complained(row(3), "web", 15 + 300);

    assertThat(held(yielding)).isEqualTo("315-322");
  }

  @Test
  void served_thatServiceIsForgotten_othersAreNot() {
    Yielding yielding = complained(complained(Yielding.NONE, "web", 0), "api", 4);
    assertThat(held(yielding)).isEqualTo("0-7 8-11");

    assertThat(held(yielding.served(service("api"), at(5), LIMITS))).isEqualTo("0-7");
    assertThat(held(yielding.served(service("web"), at(5), LIMITS))).isEqualTo("0-5 6-11");
  }

  @Test
  void complained_byMoreServicesThanAreKept_theOldestIsForgotten() {
    Yielding yielding = Yielding.NONE;
    for (int i = 0; i <= Yielding.MOST; i++) {
      Instant now = T0.plusMillis(i);
      yielding = yielding.complained(service("s" + i), now, now, LIMITS);
    }

    assertThat(yielding.complaints()).hasSize(Yielding.MOST).doesNotContainKey(service("s0"));
  }
}
