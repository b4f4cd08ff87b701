package io.poolkeeper.retry;

import io.poolkeeper.model.Range;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * A fuse against retry storms (spec 3, Retry budgets): work that succeeds deposits, a retry
 * withdraws, and a small reserve per second keeps a client going that has no success to show. What
 * is deposited or withdrawn is forgotten after {@code ttl}, in tenths of it; a withdrawal that is
 * forgotten gives the reserve back.
 *
 * <p>What the window alone would let through at once is up to twice the cap: as withdrawals and the
 * deposits that paid for them are forgotten at different times. A second purse of {@code cap}
 * bounds it: in any time t there are at most {@code cap + perSecond * t} retries and those
 * deposited in t.
 *
 * <p>Immutable and exact: amounts are millionths of a retry, whole numbers, and time is in
 * milliseconds. The balance is from 0 to {@code cap} retries; what a deposit would add beyond is
 * lost.
 *
 * @param slices amounts per tenth of the ttl, the oldest first and the running one last
 * @param slice the number of the running tenth, counted from the epoch
 * @param purse what may go at once, refilled by deposits and by time
 * @param asOf when the purse held so much, in milliseconds from the epoch
 */
public record RetryBudget(Limits limits, List<Long> slices, long slice, long purse, long asOf) {
  private static final int SLICES = 10;

  /** One retry: a thousandth per second is one unit per millisecond, a percent is 10,000. */
  private static final long RETRY = 1_000_000;

  /**
   * The size of a budget.
   *
   * @param cap the most retries that can be saved up
   * @param ttl how long a deposit or a withdrawal counts
   * @param perSecond thousandths of retries per second that are free; however few, there is one per
   *     1,000 / perSecond seconds
   * @param percent how much of a retry a deposit is worth
   */
  public record Limits(int cap, Duration ttl, int perSecond, int percent) {
    public static final Range<Integer> CAP = new Range<>(1, 1_000);
    public static final Range<Duration> TTL =
        new Range<>(Duration.ofSeconds(1), Duration.ofSeconds(60));
    public static final Range<Integer> PER_SECOND = new Range<>(0, 100_000);
    public static final Range<Integer> PERCENT = new Range<>(0, 100_000);

    public Limits {
      CAP.check("cap", cap);
      TTL.check("ttl", ttl);
      PER_SECOND.check("thousandths per second", perSecond);
      PERCENT.check("percent", percent);
    }

    /** In whole retries: of a fraction there would never be one. */
    private long reserve() {
      return Math.ceilDiv(perSecond * ttl.toMillis(), RETRY) * RETRY;
    }

    private long whole() {
      return cap * RETRY;
    }

    private long sliceMillis() {
      // A ttl that is no multiple of ten milliseconds is kept a little shorter.
      return ttl.toMillis() / SLICES;
    }
  }

  public RetryBudget {
    slices = List.copyOf(slices);
  }

  public static RetryBudget of(Limits limits, Instant now) {
    long millis = now.toEpochMilli();
    return new RetryBudget(
        limits,
        Collections.nCopies(SLICES, 0L),
        Math.floorDiv(millis, limits.sliceMillis()),
        limits.whole(),
        millis);
  }

  /** After one original piece of work, or one that succeeded: the policy is the caller's. */
  public RetryBudget deposit(Instant now) {
    RetryBudget budget = at(now);
    long worth = limits.percent * RETRY / 100;
    long room = Math.max(0, limits.whole() - budget.saved());
    return budget.plus(Math.min(room, worth), worth);
  }

  public boolean canWithdraw(Instant now) {
    return at(now).left() >= RETRY;
  }

  /**
   * After one retry.
   *
   * @throws IllegalStateException if none may be made
   */
  public RetryBudget withdraw(Instant now) {
    RetryBudget budget = at(now);
    if (budget.left() < RETRY) {
      throw new IllegalStateException("the budget is empty");
    }
    return budget.plus(-RETRY, -RETRY);
  }

  /** After a retry that was withdrawn at a time and not made: as if it had not been withdrawn. */
  public RetryBudget refund(Instant withdrawn, Instant now) {
    RetryBudget budget = at(now);
    long age = budget.slice - Math.floorDiv(withdrawn.toEpochMilli(), limits.sliceMillis());
    List<Long> next = new ArrayList<>(budget.slices);
    // A withdrawal that is forgotten has given the reserve back already.
    if (age < SLICES) {
      next.set(SLICES - 1 - (int) age, next.get(SLICES - 1 - (int) age) + RETRY);
    }
    return budget.with(next, RETRY);
  }

  /** How many retries could be made now, with fractions. */
  public double balance(Instant now) {
    return (double) Math.max(0, at(now).left()) / RETRY;
  }

  /** From that time on, when a retry may be made first if nothing happens; empty if never. */
  public Optional<Instant> nextWithdrawal(Instant from) {
    RetryBudget budget = at(from);
    long missing = Math.max(0, RETRY - budget.purse);
    if (missing > 0 && limits.perSecond == 0) {
      return Optional.empty();
    }
    long filled = budget.asOf + (missing == 0 ? 0 : Math.ceilDiv(missing, limits.perSecond));
    for (int forgotten = 0; forgotten <= SLICES; forgotten++) {
      long begin = (budget.slice + forgotten) * limits.sliceMillis();
      long at = Math.max(begin, filled);
      boolean inTime = forgotten == SLICES || at < begin + limits.sliceMillis();
      if (inTime && budget.savedWithout(forgotten) >= RETRY) {
        Instant instant = Instant.ofEpochMilli(at);
        return Optional.of(instant.isAfter(from) ? instant : from);
      }
    }
    return Optional.empty();
  }

  private long left() {
    return Math.min(purse, saved());
  }

  private long saved() {
    return savedWithout(0);
  }

  /** With the oldest slices forgotten. */
  private long savedWithout(int forgotten) {
    long sum = limits.reserve();
    for (long slice : slices.subList(forgotten, SLICES)) {
      sum += slice;
    }
    return sum;
  }

  private RetryBudget plus(long amount, long toPurse) {
    List<Long> next = new ArrayList<>(slices);
    next.set(SLICES - 1, next.getLast() + amount);
    return with(next, toPurse);
  }

  private RetryBudget with(List<Long> next, long toPurse) {
    return new RetryBudget(limits, next, slice, Math.min(limits.whole(), purse + toPurse), asOf);
  }

  /** With what is too old forgotten. Time that goes back changes nothing. */
  private RetryBudget at(Instant now) {
    long millis = now.toEpochMilli();
    if (millis <= asOf) {
      return this;
    }
    // The slowest rate but none fills the purse within so many milliseconds.
    long elapsed = Math.min(limits.whole(), millis - asOf);
    long filled = Math.min(limits.whole(), purse + elapsed * limits.perSecond);
    long current = Math.floorDiv(millis, limits.sliceMillis());
    int steps = (int) Math.min(SLICES, current - slice);
    if (steps == 0) {
      return new RetryBudget(limits, slices, current, filled, millis);
    }
    List<Long> next = new ArrayList<>(slices.subList(steps, SLICES));
    next.addAll(Collections.nCopies(steps, 0L));
    return new RetryBudget(limits, next, current, filled, millis);
  }
}
