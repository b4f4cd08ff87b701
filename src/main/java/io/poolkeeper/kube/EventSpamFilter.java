package io.poolkeeper.kube;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * Limits the events about one object: a token bucket per key with a burst of {@value #BURST} and a
 * refill of one per 5 minutes, as in Kubernetes' own event recorders. Keeps the {@value #MAX_KEYS}
 * keys used last. Confined to one thread.
 */
final class EventSpamFilter<K> {
  static final int BURST = 25;
  static final Duration REFILL = Duration.ofMinutes(5);
  static final int MAX_KEYS = 4096;

  private static final Duration FULL = REFILL.multipliedBy(BURST);

  /** A key's remaining credit as time: one event costs {@link #REFILL}. */
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
