package io.poolkeeper.arm.azure;

import java.time.Duration;
import java.util.Optional;

/**
 * The pauses before the polls of an operation: none, 50 ms, 250 ms for 2 s, then a second each. A
 * pause that the last answer asked for counts instead.
 */
final class PollCadence {
  private static final Duration SOON = Duration.ofMillis(50);
  private static final Duration OFTEN = Duration.ofMillis(250);
  private static final Duration STEADY = Duration.ofSeconds(1);
  private static final long OFTEN_POLLS = 8;

  private PollCadence() {}

  /**
   * The pause before a poll.
   *
   * @param poll the number of polls before
   * @param asked the pause that the last answer asked for, if it is more than none
   */
  static Duration pause(int poll, Optional<Duration> asked) {
    Duration usual =
        switch (poll) {
          case 0 -> Duration.ZERO;
          case 1 -> SOON;
          default -> poll < 2 + OFTEN_POLLS ? OFTEN : STEADY;
        };
    return asked.orElse(usual);
  }
}
