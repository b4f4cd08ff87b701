package io.poolkeeper.judge;

import java.time.Duration;
import java.time.Instant;

/**
 * The buckets and the retry budget as the wire shows them, and for how long they keep somebody
 * waiting.
 */
final class Quota {
  /** After an early write the reserve may take a fifth of the rate. */
  private static final Duration SHARED = Duration.ofMinutes(5);

  private static final double LEFT = 0.8;

  /** Early writes leave one part of so many to others. */
  private static final int EARLY_LEAVES = 8;

  private final Excuses excuses;
  private final Excuses retries;
  private final Tokens common;
  private final Tokens reserve;
  private final Tokens reads;
  private final Tokens early;
  private final RetryTokens budget;
  private final boolean depositAttempts;
  private Instant sharedUntil = Instant.MIN;

  Quota(Documented documented, Excuses excuses, Excuses retries, Instant now) {
    this.excuses = excuses;
    this.retries = retries;
    this.common = new Tokens(documented.writes(), now);
    this.reserve = new Tokens(documented.reserve(), now);
    this.reads = new Tokens(documented.reads(), now);
    this.early = new Tokens(documented.early(), now);
    this.budget = new RetryTokens(documented.budget(), now);
    this.depositAttempts = documented.budget().depositAttempts();
  }

  private void at(Instant now) {
    boolean shared = now.isBefore(sharedUntil);
    reserve.add(common.fill(now, shared ? LEFT : 1));
    reserve.fill(now, shared ? 1 - LEFT : 0);
    reads.fill(now, 1);
    early.fill(now, 1);
  }

  /**
   * A call is sent.
   *
   * @param busy load balancers where turns may be out, each of which may send once more
   */
  void sent(Call call, int busy, Instant now) {
    at(now);
    if (call.write()) {
      boolean reserved = call.states() && reserve.holds(1);
      (reserved ? reserve : common).spend();
    } else {
      reads.spend();
    }
    excuse(busy, now);
  }

  private void excuse(int busy, Instant now) {
    double part = now.isBefore(sharedUntil) ? LEFT : 1;
    int need = busy + 1;
    if (!reads.holds(need)) {
      excuses.span("no read token", now, reads.holdsAt(need, 1));
    }
    Instant forAll = common.holdsAt(need, part);
    if (!common.holds(need)) {
      excuses.span("no write token", now, forAll, Waiting::members);
      if (!reserve.holds(need)) {
        excuses.span("no write token, no reserve", now, forAll, one -> !one.members());
      }
    }
  }

  /** An attempt begins, which must take from the retry budget if it is a retry or a repair. */
  void attempt(boolean again, Instant now) {
    if (again) {
      budget.withdraw(now);
    } else if (depositAttempts) {
      budget.deposit(now);
    }
    retries.span("no retry budget", now, budget.allowedAt(now));
  }

  void succeeded(Instant now) {
    if (!depositAttempts) {
      budget.deposit(now);
    }
  }

  /** A change has gone sooner than an interval after the write before. */
  void wroteEarly(Instant now) {
    at(now);
    early.spend();
    sharedUntil = now.plus(SHARED);
  }

  /** When an early write may go as far as tokens go; now if it may. */
  Instant earlyAllowedAt(int busy, Instant now) {
    at(now);
    int need = common.burst() / EARLY_LEAVES + busy + 1;
    Instant byCommon = common.holdsAt(need, LEFT);
    Instant own = early.holdsAt(1, 1);
    Instant later = byCommon.isAfter(own) ? byCommon : own;
    return later.isAfter(now) ? later : now;
  }
}
