package io.poolkeeper.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Exact shares, and where they belong. */
class ShareTest {
  @ParameterizedTest
  @CsvSource({
    "1, 2, 2, 4, 0",
    "0, 5, 0, 1, 0",
    "1, 3, 333333333, 1000000000, 1",
    "1000000000, 1000000001, 999999999, 1000000000, 1",
    "1, 2147483647, 1, 2147483646, -1",
    "0, 3, 1, 1000, -1"
  })
  void compareTo_isExact(int part, int whole, int otherPart, int otherWhole, int expected) {
    Share one = new Share(part, whole);
    Share other = new Share(otherPart, otherWhole);

    assertThat(one.compareTo(other)).isEqualTo(expected);
    assertThat(other.compareTo(one)).isEqualTo(-expected);
    assertThat(one.equals(other)).isEqualTo(expected == 0);
  }

  @ParameterizedTest
  @CsvSource({"-1, 2", "3, 2", "0, 0"})
  void share_ofNothingOrOfMoreThanAll_isRefused(int part, int whole) {
    assertThatIllegalArgumentException().isThrownBy(() -> new Share(part, whole));
  }

  @Test
  void priority_shareOfALevelThatIsNotForDrains_isRefused() {
    Share half = new Share(1, 2);

    assertThatIllegalArgumentException().isThrownBy(() -> new Priority(PriorityLevel.UPDATE, half));
    assertThat(new Priority(PriorityLevel.DRAIN_RETRY, half).share()).isEqualTo(half);
  }
}
