package io.poolkeeper.judge;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The cloud provider's complaints that it cannot have the Lease, by Service: members leave the
 * Lease free around its next try, which comes after 5 s, doubling to 5 min, until it has written.
 */
public final class Complaints {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration FIRST = SECOND.multipliedBy(5);
  private static final Duration LAST = Duration.ofMinutes(5);

  private final Duration maxTail;
  private final Map<String, Row> rows = new HashMap<>();

  /** Of tries that are over. */
  private final List<Excuses.Span> past = new ArrayList<>();

  /** Tries that have failed one after another. */
  private record Row(Instant at, Duration pause, Excuses.Span free) {
    boolean over(Instant now) {
      return !now.isBefore(at.plus(LAST)) && !now.isBefore(free.to());
    }
  }

  Complaints(Duration maxTail) {
    this.maxTail = maxTail;
  }

  /** Its event of a failed try arrives; the same failure may be heard of twice. */
  public void complained(String service, Instant now) {
    Row before = rows.get(service);
    if (before != null && now.isBefore(before.at().plus(FIRST.dividedBy(2)))) {
      return;
    }
    Duration pause =
        before == null || before.over(now)
            ? FIRST
            : Documented.shorter(before.pause().multipliedBy(2), LAST);
    content(service, now);
    Instant next = now.plus(pause);
    Excuses.Span free =
        new Excuses.Span(
            next.minus(SECOND).minus(maxTail),
            next.plus(SECOND.multipliedBy(2)),
            "we yield to the cloud provider",
            any -> true);
    rows.put(service, new Row(now, pause, free.within(now, free.to())));
  }

  /** Its event that it has written arrives. */
  public void content(String service, Instant now) {
    Row row = rows.remove(service);
    if (row != null) {
      past.add(row.free().within(row.at(), now));
    }
  }

  Stream<Excuses.Span> during(Instant first, Instant last) {
    return Stream.concat(past.stream(), rows.values().stream().map(Row::free))
        .filter(span -> !span.within(first, last).isEmpty());
  }

  void forget(Instant before) {
    past.removeIf(span -> span.to().isBefore(before));
  }
}
