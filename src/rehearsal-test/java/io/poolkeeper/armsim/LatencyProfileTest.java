package io.poolkeeper.armsim;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LatencyProfileTest {
  private final RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(7);

  private static Duration percentile(List<Duration> sorted, double p) {
    return sorted.get((int) (p * (sorted.size() - 1)));
  }

  @Test
  void completion_azure_hasTheMedianAndTheTailThatWereMeasured() {
    List<Duration> drawn =
        Stream.generate(() -> LatencyProfile.AZURE.completion(random))
            .limit(20_000)
            .sorted()
            .toList();
    assertThat(percentile(drawn, 0.5)).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(5));
    assertThat(percentile(drawn, 0.99)).isBetween(Duration.ofSeconds(20), Duration.ofSeconds(30));
    assertThat(drawn.getFirst()).isEqualTo(Duration.ofSeconds(1));
    assertThat(drawn.getLast())
        .isEqualTo(LatencyProfile.AZURE.longestCompletion())
        .isEqualTo(Duration.ofSeconds(50));
  }

  @Test
  void handling_azure_staysInsideItsRange() {
    for (int i = 0; i < 1_000; i++) {
      assertThat(LatencyProfile.AZURE.handling(false, random))
          .isBetween(Duration.ofMillis(200), Duration.ofSeconds(1));
      assertThat(LatencyProfile.AZURE.handling(true, random))
          .isBetween(Duration.ofMillis(500), Duration.ofSeconds(2));
    }
  }

  @Test
  void handling_fast_takesNoTime() {
    assertThat(LatencyProfile.FAST.handling(true, random)).isZero();
  }
}
