package io.poolkeeper.kube;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * Whether one more event about an object may be sent: a token bucket per key that holds {@value
 * #BURST} and wins one back per 5 minutes, as Kubernetes' own event recorders do. Remembers the
 * {@value #MAX_KEYS} keys used last. Confined to one thread.
 */
final class EventSpamFilter<K> {
  static final int BURST = 25;
  static final Duration REFILL = Duration.ofMinutes(5);
  static final int MAX_KEYS = 4096;

  private static final Duration FULL = REFILL.multipliedBy(BURST);

  /** What a key may still spend, counted in time: one event costs {@link #REFILL}. */
  private record Bucket(Duration credit, Instant at) {
    Bucket refilled(Instant now) {
      Duration passed = Duration.between(at, now);
      if (passed.isNegative()) {
        return new Bucket(credit, now);
      }
      Duration sum = credit.plus(passed);
      return new Bucket(sum.compareTo(FULL) > 0 ? FULL : sum, now);
    }

    boolean pays() {
      return credit.compareTo(REFILL) >= 0;
    }

    Bucket spent() {
      return new Bucket(credit.minus(REFILL), at);
    }
  }

  private final Map<K, Bucket> buckets = new LruMap<>(MAX_KEYS);

  /** Spends a token of the key if there is one. */
  boolean admit(K key, Instant now) {
    Bucket bucket = buckets.getOrDefault(key, new Bucket(FULL, now)).refilled(now);
    boolean admitted = bucket.pays();
    buckets.put(key, admitted ? bucket.spent() : bucket);
    return admitted;
  }

  int size() {
    return buckets.size();
  }
}
