package io.poolkeeper.lock;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongFunction;

/**
 * The spans of time in which updates of members leave the Lease to the cloud provider, after it has
 * complained. All spans within any {@link #PERIOD} together last {@link #MOST} at most, however
 * often it complains, so that updates go on. Immutable; times are monotonic.
 *
 * @param spans in order, without overlap; {@link #SPANS} at most
 */
record Windows(List<Span> spans) {
  static final Windows NONE = new Windows(List.of());

  static final Duration MOST = Duration.ofSeconds(10);
  static final Duration PERIOD = Duration.ofSeconds(30);
  static final int SPANS = 50;

  /** A span of time; its end is no part of it. */
  record Span(Instant from, Instant to) {
    private boolean meets(Instant first, Instant last) {
      return !from.isAfter(last) && !to.isBefore(first);
    }

    private long nanosWithin(Instant first, Instant last) {
      return Math.max(0, Duration.between(later(from, first), earlier(to, last)).toNanos());
    }
  }

  Windows {
    spans = List.copyOf(spans);
  }

  /** The past spans, which bound new ones; later spans are planned anew. */
  Windows until(Instant now) {
    return new Windows(
        spans.stream()
            .filter(span -> span.from.isBefore(now) && span.to.isAfter(now.minus(PERIOD)))
            .map(span -> new Span(span.from, earlier(span.to, now)))
            .toList());
  }

  /** Adds this span, or the longest allowed beginning of it. */
  Windows plusBeginning(Instant from, Instant to) {
    return plusMost(Duration.between(from, to), nanos -> new Span(from, from.plusNanos(nanos)));
  }

  /** Adds this span, or the longest allowed end of it. */
  Windows plusEnd(Instant from, Instant to) {
    return plusMost(Duration.between(from, to), nanos -> new Span(to.minusNanos(nanos), to));
  }

  /** Adds the longest allowed part of a span, by bisection, as each part of it is allowed, too. */
  private Windows plusMost(Duration length, LongFunction<Span> part) {
    long whole = length.toNanos();
    if (whole <= 0 || !allows(part.apply(1))) {
      return this;
    }
    long most = 1;
    long over = whole + 1;
    for (long next = whole; next > most; next = (most + over) / 2) {
      if (allows(part.apply(next))) {
        most = next;
      } else {
        over = next;
      }
    }
    return plus(part.apply(most));
  }

  private Windows plus(Span added) {
    Span joined = added;
    List<Span> others = new ArrayList<>();
    for (Span span : spans) {
      if (span.meets(added.from, added.to)) {
        joined = new Span(earlier(span.from, joined.from), later(span.to, joined.to));
      } else {
        others.add(span);
      }
    }
    others.add(joined);
    others.sort(Comparator.comparing(Span::from));
    return new Windows(others);
  }

  /** Whether the bound allows a span: the fullest period begins or ends with a span. */
  private boolean allows(Span added) {
    List<Span> planned = plus(added).spans;
    List<Span> near =
        planned.stream()
            .filter(span -> span.meets(added.from.minus(PERIOD), added.to.plus(PERIOD)))
            .toList();
    return planned.size() <= SPANS
        && near.stream()
            .flatMap(span -> List.of(span.from, span.to.minus(PERIOD)).stream())
            .allMatch(first -> nanosFrom(first, near) <= MOST.toNanos());
  }

  private static long nanosFrom(Instant first, List<Span> spans) {
    return spans.stream().mapToLong(span -> span.nanosWithin(first, first.plus(PERIOD))).sum();
  }

  /** The first time, not before this one, outside of all windows. */
  Instant freeFrom(Instant time) {
    return spans.stream()
        .filter(span -> !time.isBefore(span.from) && time.isBefore(span.to))
        .map(Span::to)
        .findFirst()
        .orElse(time);
  }

  /** The beginning of the next window, or of the one that this time is in. */
  Instant nextFrom(Instant time) {
    return spans.stream()
        .filter(span -> time.isBefore(span.to))
        .map(Span::from)
        .findFirst()
        .orElse(Instant.MAX);
  }

  private static Instant earlier(Instant first, Instant second) {
    return first.isBefore(second) ? first : second;
  }

  static Instant later(Instant first, Instant second) {
    return first.isAfter(second) ? first : second;
  }
}
