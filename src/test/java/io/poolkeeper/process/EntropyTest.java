package io.poolkeeper.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class EntropyTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final AtomicReference<Instant> wall = new AtomicReference<>(START);
  // Close to the end of the range: the difference must be right although the counter overflows.
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);

  @Test
  void monotonic_wallClockSetBack_goesOn() {
    // Given
    Entropy entropy = Entropy.of(wall::get, nanos::get, nanos::get, 1);

    // When
    wall.set(START.minus(Duration.ofHours(1)));
    nanos.addAndGet(10);

    // Then
    assertThat(entropy.monotonic().instant()).isEqualTo(START.plusNanos(10));
    assertThat(entropy.wall().instant()).isEqualTo(START.minus(Duration.ofHours(1)));
    assertThat(entropy.monotonicNanos().getAsLong()).isEqualTo(Long.MIN_VALUE + 4);
  }

  @Test
  void random_sameSeed_givesTheSameGeneratorsInTheSameOrder() {
    // Given
    Entropy one = Entropy.of(wall::get, nanos::get, nanos::get, 42);
    Entropy other = Entropy.of(wall::get, nanos::get, nanos::get, 42);

    // When
    long first = one.random().nextLong();
    long second = one.random().nextLong();

    // Then
    assertThat(first).isEqualTo(other.random().nextLong()).isNotEqualTo(second);
    assertThat(second).isEqualTo(other.random().nextLong());
  }

  @Test
  void system_twoOfThem_differInSeed() {
    assertThat(Entropy.system().random().nextLong())
        .isNotEqualTo(Entropy.system().random().nextLong());
  }
}
