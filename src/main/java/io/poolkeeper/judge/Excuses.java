package io.poolkeeper.judge;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

    private Stream<Span> without(Span other) {
      return Stream.of(within(from, other.from()), within(other.to(), to))
          .filter(part -> !part.isEmpty());
    }

    boolean isEmpty() {
      return !from.isBefore(to);
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

  /** Those parts of spans that others do not cover, as long as they add up to the most. */
  static List<Span> uncovered(
      Stream<Span> spans, List<Span> others, Instant from, Instant to, Duration most) {
    List<Span> parts = spans.map(span -> span.within(from, to)).toList();
    for (Span other : others) {
      parts = parts.stream().flatMap(part -> part.without(other)).toList();
    }
    List<Span> taken = new ArrayList<>();
    Duration left = most;
    for (Span part : parts.stream().sorted(Comparator.comparing(Span::from)).toList()) {
      Span span = part.within(part.from(), part.from().plus(left));
      taken.add(span);
      left = left.minus(span.length());
    }
    return taken;
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
