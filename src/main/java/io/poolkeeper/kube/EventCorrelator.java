package io.poolkeeper.kube;

import io.poolkeeper.model.ObjectEvent;
import io.poolkeeper.model.ObjectReference;
import io.poolkeeper.model.Truncated;
import java.io.Serial;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Decides how an event is written, as Kubernetes' own recorders do: a repeated event increments the
 * count of the earlier one, and spam is dropped. Each reason has a budget of its own, so that many
 * updates hide no failure. Confined to one thread; keeps {@value #MAX_SERIES} series at most.
 */
public final class EventCorrelator {
  static final int MAX_SERIES = 4096;
  static final int MAX_MESSAGE = 1024;

  /** An event that repeats an earlier one within this time increments its count. */
  static final Duration REPEAT = Duration.ofMinutes(10);

  /** The shortest time until an object gets another event of a reason. */
  private static final Duration MIN_REFILL = Duration.ofSeconds(1);

  private record SpamKey(String kind, String namespace, String name, String reason) {
    static SpamKey of(ObjectEvent event) {
      ObjectReference about = event.about();
      return new SpamKey(about.kind(), about.namespace(), about.name(), event.reason());
    }
  }

  /** The Event object that repeated events are counted in. */
  private record Series(String name, int count, Instant last) {}

  private final SpamFilter<SpamKey> spam;
  private final Map<ObjectEvent, Series> series = new LruMap<>(MAX_SERIES);

  /**
   * A correlator without history.
   *
   * @param interval of a pool's writes: one event of each reason per object and interval is always
   *     shown
   */
  public EventCorrelator(Duration interval) {
    spam = new SpamFilter<>(interval.compareTo(MIN_REFILL) < 0 ? MIN_REFILL : interval);
  }

  /**
   * A write of an Event object.
   *
   * @param repeats the name of the Event object whose count is incremented; empty for a new one
   * @param count the number of occurrences, this one included
   */
  public record Write(ObjectEvent event, Optional<String> repeats, int count) {
    Write asNew() {
      return new Write(event, Optional.empty(), 1);
    }
  }

  /** The write for an event, with its message cut to the bound; empty if it is spam. */
  public Optional<Write> correlate(ObjectEvent event, Instant now) {
    if (!spam.admit(SpamKey.of(event), now)) {
      return Optional.empty();
    }
    ObjectEvent bounded = bounded(event);
    Series earlier = series.get(bounded);
    if (earlier == null || earlier.last().plus(REPEAT).isBefore(now)) {
      return Optional.of(new Write(bounded, Optional.empty(), 1));
    }
    return Optional.of(new Write(bounded, Optional.of(earlier.name()), earlier.count() + 1));
  }

  /** Records that the write has succeeded, with the name of its Event object. */
  public void written(Write write, String name, Instant now) {
    series.put(write.event(), new Series(name, write.count(), now));
  }

  private static ObjectEvent bounded(ObjectEvent event) {
    String message = Truncated.to(MAX_MESSAGE, event.message());
    return new ObjectEvent(event.about(), event.type(), event.reason(), message);
  }

  /**
   * Limits the events of one kind by a token bucket per key, with a burst of {@value #BURST} as in
   * Kubernetes' own event recorders. A token comes back after a given time, in Kubernetes after 5
   * minutes: an outcome that comes no more often is always shown. Keeps the {@value #MAX_KEYS} keys
   * used last. Confined to one thread.
   */
  static final class SpamFilter<K> {
    static final int BURST = 25;
    static final int MAX_KEYS = 8192;

    private final Duration refill;
    private final Duration full;
    private final Map<K, Bucket> buckets = new LruMap<>(MAX_KEYS);

    /** A key's remaining credit as time: one event costs a refill. */
    private record Bucket(Duration credit, Instant updatedAt) {}

    SpamFilter(Duration refill) {
      this.refill = refill;
      this.full = refill.multipliedBy(BURST);
    }

    /** Spends a token of the key if there is one. */
    boolean admit(K key, Instant now) {
      Bucket bucket = buckets.getOrDefault(key, new Bucket(full, now));
      Duration elapsed = Duration.between(bucket.updatedAt(), now);
      Duration sum = elapsed.isNegative() ? bucket.credit() : bucket.credit().plus(elapsed);
      Duration credit = sum.compareTo(full) > 0 ? full : sum;
      boolean admitted = credit.compareTo(refill) >= 0;
      buckets.put(key, new Bucket(admitted ? credit.minus(refill) : credit, now));
      return admitted;
    }

    int size() {
      return buckets.size();
    }
  }

  /** A map that evicts the least recently used key when it would exceed its bound. */
  private static final class LruMap<K, V> extends LinkedHashMap<K, V> {
    @Serial private static final long serialVersionUID = 1L;

    private final int bound;

    LruMap(int bound) {
      super(16, 0.75f, true);
      this.bound = bound;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
      return size() > bound;
    }
  }
}
