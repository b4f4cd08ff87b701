package io.poolkeeper.judge;

import io.poolkeeper.model.LoadBalancerId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** For how long a 429 closes what, and how long a pause is that nobody announced. */
final class Gates {
  /** After a gate of the subscription, turns begin slowly. */
  private static final Duration SLOW_START = Duration.ofSeconds(4);

  private final Documented documented;
  private final Map<String, Instant> until = new HashMap<>();
  private final Map<String, Duration> unannounced = new HashMap<>();

  Gates(Documented documented) {
    this.documented = documented;
  }

  private static String key(Call call, boolean lock) {
    Optional<LoadBalancerId> whose = lock ? call.balancer() : Optional.empty();
    return whose.map(LoadBalancerId::path).orElse("") + call.write();
  }

  /** Until when calls are not to be sent, the slow start included. */
  Instant close(Call call, Call.Answer answer, Instant now) {
    String key = key(call, answer.lock());
    Optional<Duration> asked = answer.retryAfter().filter(Duration::isPositive);
    Instant before = until.getOrDefault(key, Instant.MIN);
    Duration pause =
        asked
            .map(one -> Documented.shorter(one, documented.maxRetryAfter()))
            .orElseGet(() -> now.isBefore(before) ? Duration.ZERO : unannounced(key));
    Instant end = now.plus(pause);
    until.put(key, end.isAfter(before) ? end : before);
    return answer.lock() ? until.get(key) : until.get(key).plus(SLOW_START);
  }

  private Duration unannounced(String key) {
    Duration next =
        Optional.ofNullable(unannounced.get(key))
            .map(last -> Documented.shorter(last.multipliedBy(2), documented.interval()))
            .orElse(documented.spacing(0));
    unannounced.put(key, next);
    return next;
  }

  /** A call was answered well that was sent then. */
  void succeeded(Call call, Instant sentAt) {
    for (boolean lock : new boolean[] {false, true}) {
      String key = key(call, lock);
      if (!sentAt.isBefore(until.getOrDefault(key, Instant.MIN))) {
        unannounced.remove(key);
      }
    }
  }
}
