package io.poolkeeper.storm;

import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** How ARM answers: a function of the time since the beginning, of the call and of chance. */
@FunctionalInterface
interface Weather {
  /** The calls that there are. */
  enum Call {
    GET,
    PUT,
    POLL;

    boolean write() {
      return this == PUT;
    }
  }

  /**
   * An answer without its body.
   *
   * @param retryAfter what the header asks for, with 429 only
   * @param lock whether a 429 concerns one load balancer only
   */
  record Answer(int status, Optional<Duration> retryAfter, boolean lock) {
    static final Answer OK = status(200);

    static Answer status(int status) {
      return new Answer(status, Optional.empty(), false);
    }

    static Answer throttled(Duration retryAfter) {
      return new Answer(429, Optional.of(retryAfter), false);
    }

    static Answer locked(Duration retryAfter) {
      return new Answer(429, Optional.of(retryAfter), true);
    }

    boolean good() {
      return status < 300;
    }
  }

  Answer answer(Call call, Duration elapsed, RandomGenerator random);

  /** Every call is answered so for a time from the beginning, and well after it. */
  static Weather outage(Duration length, Answer answer) {
    return (call, elapsed, random) -> elapsed.compareTo(length) < 0 ? answer : Answer.OK;
  }

  /** Every call is answered 429 until the time is over, each asking for so much time. */
  default Weather gated(Duration from, Duration length) {
    Duration end = from.plus(length);
    return (call, elapsed, random) ->
        elapsed.compareTo(from) >= 0 && elapsed.compareTo(end) < 0
            ? Answer.throttled(end.minus(elapsed))
            : answer(call, elapsed, random);
  }

  /** A tenth of the calls fail: writes with 409, 412, 503 or 429, reads with 503 or 429. */
  static Weather drizzle() {
    return (call, elapsed, random) -> {
      if (random.nextDouble() >= 0.1) {
        return Answer.OK;
      }
      return switch (random.nextInt(call.write() ? 4 : 2)) {
        case 0 -> Answer.status(503);
        case 1 -> random.nextBoolean() ? Answer.status(429) : Answer.locked(Duration.ofSeconds(5));
        case 2 -> Answer.status(409);
        default -> Answer.status(412);
      };
    };
  }
}
