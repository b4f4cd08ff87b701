package io.poolkeeper.retry;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A fuse against retry storms (spec 3, Retry budgets): work that succeeds deposits, a retry
 * withdraws, and a small reserve per second keeps a client going that has no success to show. What
 * is deposited or withdrawn is forgotten after {@code ttl}, in tenths of it; a withdrawal that is
 * forgotten gives the reserve back.
 *
 * <p>Immutable and exact: amounts are whole numbers of which one retry costs {@value #RETRY}. The
 * balance is from 0 to {@code cap} retries; what a deposit would add beyond is lost.
 *
 * @param slices amounts per tenth of the ttl, the oldest first and the running one last
 * @param slice the number of the running tenth, counted from the epoch
 */
public record RetryBudget(Limits limits, List<Long> slices, long slice) {
  private static final int SLICES = 10;

  /** One retry in the unit of amounts: a deposit at 0.001 percent is a whole number of it. */
  private static final long RETRY = 100_000;

  /**
   * The size of a budget.
   *
   * @param cap the most retries that can be saved up, 1 to 1,000
   * @param ttl how long a deposit or a withdrawal counts, 1 s to 60 s
   * @param perSecond thousandths of retries per second that are free, 0 to 100,000
   * @param percent how much of a retry a deposit is worth, 0 to 100,000
   */
  public record Limits(int cap, Duration ttl, int perSecond, int percent) {
    public Limits {
      check("cap", cap, 1, 1_000);
      check("ttl in ms", ttl.toMillis(), 1_000, 60_000);
      check("thousandths per second", perSecond, 0, 100_000);
      check("percent", percent, 0, 100_000);
    }

    private static void check(String what, long value, long min, long max) {
      if (value < min || value > max) {
        throw new IllegalArgumentException(
            "%s must be %d to %d, not %d".formatted(what, min, max, value));
      }
    }

    private long reserve() {
      return perSecond * ttl.toMillis() * RETRY / 1_000_000;
    }

    private long sliceMillis() {
      return ttl.toMillis() / SLICES;
    }
  }

  public RetryBudget {
    slices = List.copyOf(slices);
  }

  /** A budget without history. */
  public static RetryBudget of(Limits limits, Instant now) {
    return new RetryBudget(
        limits, Collections.nCopies(SLICES, 0L), now.toEpochMilli() / limits.sliceMillis());
  }

  /** After one original piece of work, or one that succeeded: the policy is the caller's. */
  public RetryBudget deposit(Instant now) {
    RetryBudget budget = at(now);
    long room = Math.max(0, limits.cap * RETRY - budget.saved());
    return budget.plus(Math.min(room, limits.percent * RETRY / 100));
  }

  /** Whether a retry may be made. */
  public boolean canWithdraw(Instant now) {
    return at(now).saved() >= RETRY;
  }

  /**
   * After one retry.
   *
   * @throws IllegalStateException if none may be made
   */
  public RetryBudget withdraw(Instant now) {
    RetryBudget budget = at(now);
    if (budget.saved() < RETRY) {
      throw new IllegalStateException("the budget is empty");
    }
    return budget.plus(-RETRY);
  }

  /** How many retries could be made now, with fractions. */
  public double balance(Instant now) {
    return (double) Math.clamp(at(now).saved(), 0, limits.cap * RETRY) / RETRY;
  }

  /** When the balance may next change by time alone. */
  public Instant nextChange(Instant now) {
    return Instant.ofEpochMilli((at(now).slice + 1) * limits.sliceMillis());
  }

  private long saved() {
    return limits.reserve() + slices.stream().mapToLong(Long::longValue).sum();
  }

  private RetryBudget plus(long amount) {
    List<Long> next = new ArrayList<>(slices);
    next.set(SLICES - 1, Math.addExact(next.getLast(), amount));
    return new RetryBudget(limits, next, slice);
  }

  /** With what is too old forgotten. Time that goes back changes nothing. */
  private RetryBudget at(Instant now) {
    long current = now.toEpochMilli() / limits.sliceMillis();
    long steps = Math.min(SLICES, current - slice);
    if (steps <= 0) {
      return this;
    }
    List<Long> next = new ArrayList<>(slices.subList((int) steps, SLICES));
    next.addAll(Collections.nCopies((int) steps, 0L));
    return new RetryBudget(limits, next, current);
  }
}
