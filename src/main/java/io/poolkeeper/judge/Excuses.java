package io.poolkeeper.judge;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * When nothing could be done in one scope (everywhere, at a load balancer, in a pool), and why. A
 * span may lie in the future, as that of a {@code Retry-After} does, and be cut later.
 */
public final class Excuses {
  private static final int MANY = 128;

  private final List<Span> spans = new ArrayList<>();
  private final Map<String, Open> open = new HashMap<>();

  /**
   * A time that does not count.
   *
   * @param to the first moment that counts again
   */
  record Span(Instant from, Instant to, String why, Predicate<Waiting> applies) {
    Span within(Instant first, Instant last) {
      return new Span(
          from.isBefore(first) ? first : from, to.isAfter(last) ? last : to, why, applies);
    }

    Duration length() {
      return isEmpty() ? Duration.ZERO : Duration.between(from, to);
    }

    boolean isEmpty() {
      return !from.isBefore(to);
    }

    /** Its parts that no other one covers. */
    private List<Span> beside(List<Span> others) {
      List<Span> parts = new ArrayList<>();
      Instant at = from;
      for (Span other : others.stream().sorted(Comparator.comparing(Span::from)).toList()) {
        Span part = new Span(at, other.from(), why, applies).within(from, to);
        if (!part.isEmpty()) {
          parts.add(part);
        }
        at = other.to().isAfter(at) ? other.to() : at;
      }
      Span last = within(at, Instant.MAX);
      if (!last.isEmpty()) {
        parts.add(last);
      }
      return parts;
    }
  }

  private record Open(Instant from, String why, Predicate<Waiting> applies) {}

  /** Nothing can be done from now until then. */
  public void span(String why, Instant from, Instant to) {
    span(why, from, to, any -> true);
  }

  void span(String why, Instant from, Instant to, Predicate<Waiting> applies) {
    if (from.isBefore(to)) {
      spans.add(new Span(from, to, why, applies));
    }
  }

  /** Nothing can be done until it is closed; opened twice is opened once. */
  public void open(String key, String why, Instant from) {
    open(key, why, from, any -> true);
  }

  void open(String key, String why, Instant from, Predicate<Waiting> applies) {
    open.putIfAbsent(key, new Open(from, why, applies));
  }

  public void close(String key, Instant at) {
    Open was = open.remove(key);
    if (was != null) {
      span(was.why(), was.from(), at, was.applies());
    }
  }

  boolean anyOpenBut(String key) {
    return open.size() > (open.containsKey(key) ? 1 : 0);
  }

  /** What holds at any time from the first to the last moment. */
  Stream<Span> during(Instant first, Instant last) {
    return Stream.concat(
            spans.stream(),
            open.values().stream()
                .map(one -> new Span(one.from(), Instant.MAX, one.why(), one.applies())))
        .filter(span -> span.to().isAfter(first) && span.from().isBefore(last));
  }

  /** Nobody asks about what was before. */
  void forget(Instant before) {
    if (spans.size() > MANY) {
      spans.removeIf(span -> span.to().isBefore(before));
    }
  }

  /**
   * Of spans, as much as counts at most: the first part that no other excuse covers. What touches
   * counts together, and after a gap anew.
   */
  static List<Span> most(Optional<Duration> most, Stream<Span> spans, List<Span> others) {
    List<Span> sorted = spans.sorted(Comparator.comparing(Span::from)).toList();
    if (most.isEmpty()) {
      return sorted;
    }
    List<Span> all = new ArrayList<>();
    Duration left = most.get();
    Instant until = Instant.MIN;
    for (Span span : sorted) {
      left = span.from().isAfter(until) ? most.get() : left;
      for (Span part : span.within(until, Instant.MAX).beside(others)) {
        Duration length = Documented.shorter(part.length(), left);
        all.add(part.within(part.from(), part.from().plus(length)));
        left = left.minus(length);
      }
      until = span.to().isAfter(until) ? span.to() : until;
    }
    return all;
  }

  /**
   * What spans cover together, each moment once, by reason; the sum of it is what does not count.
   */
  static Map<String, Duration> cover(List<Span> all) {
    List<Span> sorted = new ArrayList<>(all);
    sorted.sort(Comparator.comparing(Span::from));
    Map<String, Duration> covered = new TreeMap<>();
    Instant until = Instant.MIN;
    for (Span span : sorted) {
      Instant from = span.from().isAfter(until) ? span.from() : until;
      if (from.isBefore(span.to())) {
        covered.merge(span.why(), Duration.between(from, span.to()), Duration::plus);
        until = span.to();
      }
    }
    return covered;
  }
}
