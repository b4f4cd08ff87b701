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
class CourtesyTest {
  private static ServiceKey service(String name) {
    return new ServiceKey("default", name);
  }

  private static Instant at(long second) {
    return T0.plusSeconds(second);
  }

  private static Courtesy complained(Courtesy before, String service, long second) {
    return before.complained(service(service), at(second), at(second), LIMITS);
  }

  private static long membersFrom(Courtesy courtesy, long second) {
    return courtesy.membersFrom(at(second)).getEpochSecond() - T0.getEpochSecond();
  }

  /** When members are held, past and planned: "0-7 12-17". */
  private static String held(Courtesy courtesy) {
    return courtesy.windows().spans().stream()
        .map(one -> "%s-%s".formatted(second(one.from()), second(one.to())))
        .collect(Collectors.joining(" "));
  }

  private static long second(Instant time) {
    return Duration.between(T0, time).toSeconds();
  }

  /** Tries at 5, 15, 35, 75, 155, 315 s after the first one; then 300 s apart. */
  private static Courtesy row(int length) {
    Courtesy courtesy = Courtesy.NONE;
    long second = 0;
    for (int i = 0; i < length; i++) {
      courtesy = complained(courtesy, "web", second);
      second += Math.min(300, 5L << i);
    }
    return courtesy;
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
    Courtesy courtesy = row(2);

    assertThat(membersFrom(courtesy, 11)).isEqualTo(11);
    assertThat(membersFrom(courtesy, 12)).isEqualTo(17);
    assertThat(membersFrom(courtesy, 16)).isEqualTo(17);
    assertThat(membersFrom(courtesy, 17)).isEqualTo(17);
    assertThat(courtesy.windows().nextFrom(at(11))).isEqualTo(at(12));
    assertThat(courtesy.windows().nextFrom(at(16))).isEqualTo(at(12));
    assertThat(courtesy.windows().nextFrom(at(17))).isEqualTo(Instant.MAX);
  }

  @Test
  void complained_manyServices_atMostTenOfAnyThirtySecondsAreHeld() {
    Courtesy courtesy = complained(Courtesy.NONE, "a", 0);
    assertThat(held(courtesy)).isEqualTo("0-7");

    courtesy = complained(courtesy, "b", 10);
    assertThat(held(courtesy)).as("its free window, no tail").isEqualTo("0-7 14-17");

    courtesy = complained(courtesy, "c", 20);
    assertThat(held(courtesy)).as("nothing is left").isEqualTo("0-7 14-17");

    courtesy = complained(courtesy, "d", 30);
    assertThat(held(courtesy)).as("as much again as has expired").isEqualTo("0-7 14-17 30-37");
  }

  @Test
  void complained_anotherTryInTime_itsFreeWindowComesBeforeATail() {
    Courtesy courtesy = row(2);
    assertThat(held(courtesy)).as("the tail from 12 to 14").isEqualTo("0-5 12-17");

    courtesy = complained(courtesy, "api", 6);

    assertThat(held(courtesy)).isEqualTo("0-5 10-13 14-16");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void complained_atRandom_noThirtySecondsHoldMoreThanTen(long seed) {
    Random random = new Random(seed);
    Courtesy courtesy = Courtesy.NONE;
    boolean[] held = new boolean[3_000];
    for (int i = 0; i < held.length; i++) {
      Instant now = T0.plusMillis(100L * i);
      if (random.nextInt(5) == 0) {
        ServiceKey service = service("s" + random.nextInt(40));
        Instant then = now.minusMillis(100L * random.nextInt(60));
        courtesy =
            random.nextInt(3) > 0
                ? courtesy.complained(service, then, now, LIMITS)
                : courtesy.served(service, now, LIMITS);
        assertThat(courtesy.windows().spans()).hasSizeLessThanOrEqualTo(Windows.SPANS);
      }
      held[i] = courtesy.membersFrom(now).isAfter(now);
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
    Courtesy once = complained(Courtesy.NONE, "web", 0);

    assertThat(complained(once, "web", 2)).isEqualTo(once);
    assertThat(held(complained(once, "api", 0))).isEqualTo("0-7");
  }

  @Test
  void complained_afterFiveMinutesWithoutNews_beginsANewRow() {
    Courtesy courtesy = complained(row(3), "web", 15 + 300);

    assertThat(held(courtesy)).isEqualTo("315-322");
  }

  @Test
  void served_thatServiceIsForgotten_othersAreNot() {
    Courtesy courtesy = complained(complained(Courtesy.NONE, "web", 0), "api", 4);
    assertThat(held(courtesy)).isEqualTo("0-7 8-11");

    assertThat(held(courtesy.served(service("api"), at(5), LIMITS))).isEqualTo("0-7");
    assertThat(held(courtesy.served(service("web"), at(5), LIMITS))).isEqualTo("0-5 6-11");
  }

  @Test
  void complained_byMoreServicesThanAreKept_theOldestIsForgotten() {
    Courtesy courtesy = Courtesy.NONE;
    for (int i = 0; i <= Courtesy.MOST; i++) {
      Instant now = T0.plusMillis(i);
      courtesy = courtesy.complained(service("s" + i), now, now, LIMITS);
    }

    assertThat(courtesy.complaints()).hasSize(Courtesy.MOST).doesNotContainKey(service("s0"));
  }
}
