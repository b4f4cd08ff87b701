package io.poolkeeper.judge;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What the wire shows of one pool: when its last write ended, by how much the spacing has grown,
 * and how often it has failed in a row (docs/topics/multislb.md, How often, and when).
 */
final class PoolWire {
  /** A call repeats itself for so long. */
  private static final Duration IN_CALL = Duration.ofSeconds(10);

  final Excuses excuses = new Excuses();
  private final Documented documented;
  private Optional<Instant> end = Optional.empty();

  /** Ends of writes, and of attempts that failed: within an interval of one, changes are early. */
  private final Deque<Instant> ends = new ArrayDeque<>();

  /** When attempts have begun. */
  private final Deque<Instant> attempts = new ArrayDeque<>();

  private int doublings;

  /** Since the last write, when what is wanted has changed first. */
  private Optional<Instant> changed = Optional.empty();

  private int retries;
  private int repairs;
  private int drains;
  private boolean failed;
  private Optional<Instant> failedAt = Optional.empty();
  private Instant attemptFrom = Instant.MIN;
  private Instant wroteFrom = Instant.MIN;
  private boolean attemptFailed;
  private boolean attemptWrote;
  private boolean attemptRead;
  private boolean repeats;
  private boolean early;

  PoolWire(Documented documented) {
    this.documented = documented;
  }

  /** The spacing in force. */
  Duration spacing() {
    return documented.spacing(doublings);
  }

  /** Until when a change is early. */
  Instant earlyUntil() {
    return end.map(at -> at.plus(documented.interval())).orElse(Instant.MIN);
  }

  void wanted(Instant now) {
    changed = changed.or(() -> Optional.of(now));
    // A fresh change has fresh retries.
    retries = 0;
  }

  /** A GET is sent; returns whether it begins an attempt. */
  boolean reads(Instant now) {
    boolean repeated = repeats && now.isBefore(attemptFrom.plus(IN_CALL));
    repeats = false;
    if (repeated) {
      return false;
    }
    if (!attemptFailed && !attemptWrote && attemptFrom.isAfter(Instant.MIN)) {
      // The last one had nothing to write.
      recovered();
      changed = changed.filter(at -> !at.isBefore(attemptFrom));
    }
    attemptFrom = now;
    attempts.addLast(now);
    attemptFailed = false;
    attemptWrote = false;
    attemptRead = false;
    early = now.isBefore(earlyUntil());
    return true;
  }

  /** Whether the attempt that begins is none for a fresh change. */
  boolean again() {
    return failing() || changed.isEmpty();
  }

  /** Its GET was answered well; unless a PUT follows at once, there is nothing to write. */
  void read() {
    attemptRead = true;
  }

  /** Whether the last attempt has failed. */
  private boolean failing() {
    return failed && !(attemptRead && !attemptWrote && !attemptFailed);
  }

  /** A view shows the pool as it is wanted: what comes next is a repair. */
  void satisfied() {
    changed = Optional.empty();
  }

  void writes(Instant now) {
    attemptWrote = true;
    wroteFrom = now;
  }

  /** Whether the attempt may have begun early, a retry and a repair included. */
  boolean early() {
    return early;
  }

  private void ended(Instant now) {
    end = Optional.of(now);
    ends.addLast(now);
  }

  /** When attempts began between these, and the last moment. */
  List<Instant> attempts(Instant after, Instant last) {
    return Stream.concat(
            attempts.stream().filter(at -> at.isAfter(after) && at.isBefore(last)), Stream.of(last))
        .toList();
  }

  void forget(Instant before) {
    excuses.forget(before);
    while (!attempts.isEmpty() && attempts.peek().isBefore(before)) {
      attempts.remove();
    }
    while (!ends.isEmpty() && ends.peek().plus(documented.interval()).isBefore(before)) {
      ends.remove();
    }
  }

  /** Those parts of a time in which a change is early. */
  Stream<Excuses.Span> early(Excuses.Span span) {
    // A retry is not early.
    Instant last = failing() && repairs == 0 ? failedAt.orElse(Instant.MAX) : Instant.MAX;
    return ends.stream()
        .map(at -> span.within(at, at.plus(documented.interval())))
        .map(part -> part.within(part.from(), last))
        .filter(part -> !part.isEmpty());
  }

  /** Whether what is wrong since then is tried as a retry or a repair. */
  boolean retries(Instant since) {
    return failing() || failedAt.filter(at -> !at.isBefore(since)).isPresent();
  }

  /** How long the attempt has taken. */
  Duration taken(Instant now) {
    return Duration.between(attemptFrom, now);
  }

  void recovered() {
    failed = false;
    retries = 0;
    repairs = 0;
    drains = 0;
  }

  /** The process hears that its write is made. */
  void wrote(boolean members, Instant now) {
    recovered();
    attemptFailed = false;
    if (!members) {
      return;
    }
    boolean quiet = changed.map(at -> !at.isBefore(earlyUntil())).orElse(false);
    if (quiet) {
      doublings = 0;
    } else if (changed.isPresent() && spacing().compareTo(documented.interval()) < 0) {
      doublings++;
    }
    changed = changed.filter(at -> !at.isBefore(wroteFrom));
    ended(now);
  }

  /** Only what the watches deliver later, a change or a node, is no part of the retry. */
  private static boolean retried(Waiting one, Instant failed) {
    return one.by() != Waiting.By.CHANGE || !one.since().isAfter(failed);
  }

  /** The process hears that there is no such pool: a drain is tried again all the same. */
  void gone(Instant now) {
    attemptFailed = true;
    drains++;
    ended(now);
    excuses.span(
        "no such pool",
        now,
        now.plus(documented.drain(drains, false)),
        one -> !one.members() && retried(one, now));
  }

  /**
   * The process hears that its attempt has failed.
   *
   * @param asked until when ARM has asked it to wait
   */
  void failed(boolean retriable, boolean mayRepeat, Optional<Instant> asked, Instant now) {
    boolean first = !attemptFailed;
    attemptFailed = true;
    failed = true;
    failedAt = Optional.of(now);
    repeats = mayRepeat;
    asked.ifPresent(until -> excuses.span("as ARM has asked", now, until));
    if (first) {
      drains++;
      // A repair that fails is none of a change, and is not retried but repaired later.
      boolean retried = retriable && changed.isPresent() && retries < documented.maxRetries();
      retries += retried ? 1 : 0;
      repairs += retried ? 0 : 1;
      if (!retried) {
        // The change is given up; what remains is a repair.
        changed = Optional.empty();
      }
    }
    ended(now);
    String why = retriable ? "a refusal" : "a failure";
    if (repairs == 0) {
      excuses.span(why, now, now.plus(documented.retry(retries)), Waiting::members);
    } else {
      Duration longest = Documented.repair(repairs);
      excuses.span(why, now, now.plus(longest), one -> one.members() && retried(one, now));
      excuses.span(why, now, now.plus(documented.retry(Math.max(1, retries))), Waiting::members);
    }
    excuses.span(
        why,
        now,
        now.plus(documented.drain(drains, retriable)),
        one -> !one.members() && retried(one, now));
  }
}
