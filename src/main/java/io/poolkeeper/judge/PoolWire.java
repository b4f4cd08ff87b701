package io.poolkeeper.judge;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
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

  private int doublings;

  /** Since the last write, when what is wanted has changed first. */
  private Optional<Instant> changed = Optional.empty();

  private int retries;

  /** Before the last change. */
  private int retriesBefore;

  private int repairs;
  private int drains;
  private boolean failed;
  private Optional<Instant> failedAt = Optional.empty();

  /** When something else was wanted last, be the pool so already or not. */
  private Instant wantedAt = Instant.MIN;

  private Instant attemptFrom = Instant.MIN;
  private Instant wroteFrom = Instant.MIN;
  private boolean attemptFailed;
  private boolean attemptWrote;

  /** Whether its GET showed that there is nothing to write. */
  private boolean attemptRight;

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

  /**
   * Something else is wanted.
   *
   * @param differs whether the pool is not known to be so
   */
  void wanted(boolean differs, Instant now) {
    wantedAt = now;
    if (differs) {
      changed = changed.or(() -> Optional.of(now));
      // A fresh change has fresh retries.
      retriesBefore = Math.max(retries, retriesBefore);
      retries = 0;
    }
  }

  /** A GET is sent; returns whether it begins an attempt. */
  boolean reads(Instant now) {
    boolean repeated = repeats && now.isBefore(attemptFrom.plus(IN_CALL));
    repeats = false;
    if (repeated) {
      return false;
    }
    if (attemptRight && !attemptFailed && !attemptWrote) {
      recovered();
      changed = changed.filter(at -> !at.isBefore(attemptFrom));
    }
    attemptFrom = now;
    attemptFailed = false;
    attemptWrote = false;
    attemptRight = false;
    // What waited for its end is early, too.
    early = !now.isAfter(earlyUntil());
    return true;
  }

  /** Whether the attempt that begins is none for a fresh change. */
  boolean again() {
    return failing() || changed.isEmpty();
  }

  /** Whether the last attempt has failed. */
  private boolean failing() {
    return failed && !(attemptRight && !attemptWrote && !attemptFailed);
  }

  /** A view shows the pool as it is wanted: what comes after the change is a repair. */
  void satisfied() {
    attemptRight = true;
    // A change that was not tried yet is tried all the same, unless the pool is new.
    changed = changed.filter(at -> attemptFrom.isAfter(Instant.MIN) && at.isAfter(attemptFrom));
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

  void forget(Instant before) {
    excuses.forget(before);
    while (!ends.isEmpty() && ends.peek().plus(documented.interval()).isBefore(before)) {
      ends.remove();
    }
  }

  /** Those parts of a time in which a change is early. */
  Stream<Excuses.Span> early(Excuses.Span span) {
    // A retry is not early, unless a change has come during the attempt that failed.
    boolean retry = failing() && repairs == 0 && !wantedAt.isAfter(attemptFrom);
    Instant last = retry ? failedAt.orElse(Instant.MAX) : Instant.MAX;
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
  }

  /** A view shows every admin state as it is wanted. */
  void drained() {
    drains = 0;
  }

  /** The process hears that its write is made. */
  void wrote(boolean members, Instant now) {
    drained();
    if (members) {
      recovered();
    }
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

  private void waitsForRepair(String why, Instant now) {
    excuses.span(
        why, now, now.plus(Documented.repair(repairs)), one -> one.members() && retried(one, now));
  }

  /** The process hears that there is no such pool: it is tried again all the same. */
  void gone(Instant now) {
    attemptFailed = true;
    // The change is given up; what remains is a repair.
    changed = Optional.empty();
    drains++;
    repairs++;
    ended(now);
    waitsForRepair("no such pool", now);
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
      // One that comes during an attempt is tried with those that are tried again.
      retries = wantedAt.isAfter(attemptFrom) ? Math.max(retries, retriesBefore) : retries;
      retriesBefore = 0;
      boolean change = changed.filter(at -> !at.isAfter(attemptFrom)).isPresent();
      boolean retried = retriable && change && retries < documented.maxRetries();
      retries += retried ? 1 : 0;
      repairs += retried ? 0 : 1;
      changed = changed.filter(at -> retried || at.isAfter(attemptFrom));
    }
    ended(now);
    String why = retriable ? "a refusal" : "a failure";
    if (repairs == 0) {
      excuses.span(why, now, now.plus(documented.retry(retries)), Waiting::members);
    } else {
      waitsForRepair(why, now);
      excuses.span(why, now, now.plus(documented.retry(Math.max(1, retries))), Waiting::members);
    }
    excuses.span(
        why,
        now,
        now.plus(documented.drain(drains, retriable)),
        one -> !one.members() && retried(one, now));
  }
}
