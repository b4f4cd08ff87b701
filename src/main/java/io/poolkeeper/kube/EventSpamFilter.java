package io.poolkeeper.kube;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * Limits the events of one kind: a token bucket per key with a burst of {@value #BURST}, as in
 * Kubernetes' own event recorders, and one token per given time, where those have one per 5
 * minutes: an outcome that comes no more often is always shown. Keeps the {@value #MAX_KEYS} keys
 * used last. Confined to one thread.
 */
final class EventSpamFilter<K> {
  static final int BURST = 25;
  static final int MAX_KEYS = 8192;

  private final Duration refill;
  private final Duration full;
  private final Map<K, Bucket> buckets = new LruMap<>(MAX_KEYS);

  /** A key's remaining credit as time: one event costs a refill. */
  private record Bucket(Duration credit, Instant at) {}

  EventSpamFilter(Duration refill) {
    this.refill = refill;
    this.full = refill.multipliedBy(BURST);
  }

  /** Spends a token of the key if there is one. */
  boolean admit(K key, Instant now) {
    Bucket bucket = buckets.getOrDefault(key, new Bucket(full, now));
    Duration passed = Duration.between(bucket.at(), now);
    Duration sum = passed.isNegative() ? bucket.credit() : bucket.credit().plus(passed);
    Duration credit = sum.compareTo(full) > 0 ? full : sum;
    boolean admitted = credit.compareTo(refill) >= 0;
    buckets.put(key, new Bucket(admitted ? credit.minus(refill) : credit, now));
    return admitted;
  }

  int size() {
    return buckets.size();
  }
}
