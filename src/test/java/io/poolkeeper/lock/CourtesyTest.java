package io.poolkeeper.lock;

import static io.poolkeeper.lock.LockDriver.LIMITS;
import static io.poolkeeper.lock.LockDriver.T0;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.ServiceKey;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When the Lease is left to a cloud provider that waits for it. A tail lasts for 5 s. */
class CourtesyTest {
  private static ServiceKey service(String name) {
    return new ServiceKey("default", name);
  }

  private static Instant at(long second) {
    return T0.plusSeconds(second);
  }

  private static Courtesy complained(Courtesy before, String service, long second) {
    return before.complained(service(service), at(second), at(second));
  }

  private static long membersFrom(Courtesy courtesy, long second) {
    return courtesy.membersFrom(at(second), LIMITS).getEpochSecond() - T0.getEpochSecond();
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

  @ParameterizedTest
  @CsvSource({
    "1, 0, 0, 7",
    "2, 5, 9, 17",
    "3, 15, 29, 37",
    "4, 35, 69, 77",
    "5, 75, 149, 157",
    "6, 155, 309, 317",
    "7, 315, 609, 617",
    "8, 615, 909, 917"
  })
  void membersFrom_rowOfFailures_isKnownInAdvance(int row, long now, long begin, long end) {
    Courtesy courtesy = row(row);

    assertThat(membersFrom(courtesy, now)).isEqualTo(begin == now ? end : now);
    assertThat(membersFrom(courtesy, begin)).isEqualTo(end);
    assertThat(membersFrom(courtesy, end - 1)).isEqualTo(end);
    assertThat(membersFrom(courtesy, end)).isEqualTo(end);
    assertThat(courtesy.membersUntil(at(now), LIMITS)).isEqualTo(at(row == 1 ? -1 : begin));
    assertThat(courtesy.membersUntil(at(end), LIMITS)).isEqualTo(Instant.MAX);
  }

  @Test
  void membersFrom_windowsOfSeveralServices_areJoined() {
    Courtesy courtesy = complained(complained(Courtesy.NONE, "web", 0), "api", 4);

    assertThat(membersFrom(courtesy, 1)).isEqualTo(11);
  }

  @Test
  void complained_sameFailureHeardAgain_countsOnce() {
    Courtesy once = complained(Courtesy.NONE, "web", 0);

    assertThat(complained(once, "web", 2)).isEqualTo(once);
  }

  @Test
  void complained_afterFiveMinutesWithoutNews_beginsANewRow() {
    Courtesy courtesy = complained(row(3), "web", 15 + 300);

    assertThat(membersFrom(courtesy, 315)).isEqualTo(322);
  }

  @Test
  void served_thatServiceIsForgotten_othersAreNot() {
    Courtesy courtesy = complained(complained(Courtesy.NONE, "web", 0), "api", 4);

    assertThat(membersFrom(courtesy.served(service("api")), 1)).isEqualTo(7);
  }

  @Test
  void complained_byMoreServicesThanAreKept_theOldestIsForgotten() {
    Courtesy courtesy = Courtesy.NONE;
    for (int i = 0; i <= Courtesy.MOST; i++) {
      courtesy = courtesy.complained(service("s" + i), T0.plusMillis(i), T0.plusMillis(i));
    }

    assertThat(courtesy.complaints()).hasSize(Courtesy.MOST).doesNotContainKey(service("s0"));
  }
}
