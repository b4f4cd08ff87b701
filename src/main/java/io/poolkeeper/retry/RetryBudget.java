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
 * withdraws, and a small reserve keeps a client going that has no success to show. What is
 * deposited or withdrawn is forgotten after {@code ttl}, in tenths of it; a withdrawal that is
 * forgotten gives the reserve back.
 *
 * <p>Invariant: in any {@code ttl}, less a tenth, there are no more retries than the reserve and
 * what was deposited in it. The balance is at most {@code cap} or the reserve, whichever is more;
 * what would be beyond is lost.
 *
 * <p>Immutable and exact: amounts are millionths of a retry, whole numbers, and time is in
 * milliseconds.
 *
 * @param slices amounts per tenth of the ttl, the oldest first and the running one last
 * @param slice the number of the running tenth, counted from the epoch
 */
public record RetryBudget(Limits limits, List<Long> slices, long slice) {
  private static final int SLICES = 10;

  /** One retry: a thousandth per second is one unit per millisecond, a percent is 10,000. */
  private static final long RETRY = 1_000_000;

  /**
   * The size of a budget.
   *
   * @param cap the most retries that can be saved up
   * @param ttl how long a deposit or a withdrawal counts
   * @param perSecond thousandths of retries per second that are free; rounded up to whole ones per
   *     {@code ttl}
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

    /** The number of the slice that a time is in. */
    private long slice(Instant time) {
      return Math.floorDiv(time.toEpochMilli(), sliceMillis());
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
    return new RetryBudget(limits, Collections.nCopies(SLICES, 0L), limits.slice(now));
  }

  /** After one original piece of work, or one that succeeded: the policy is the caller's. */
  public RetryBudget deposit(Instant now) {
    RetryBudget budget = at(now);
    return budget.plus(limits.percent * RETRY / 100, 0);
  }

  public boolean canWithdraw(Instant now) {
    return at(now).saved(0) >= RETRY;
  }

  /**
   * After one retry.
   *
   * @throws IllegalStateException if none may be made
   */
  public RetryBudget withdraw(Instant now) {
    if (!canWithdraw(now)) {
      throw new IllegalStateException("the budget is empty");
    }
    return at(now).plus(-RETRY, 0);
  }

  /** After a retry that was withdrawn at a time and not made: as if it had not been withdrawn. */
  public RetryBudget refund(Instant withdrawn, Instant now) {
    RetryBudget budget = at(now);
    long age = budget.slice - limits.slice(withdrawn);
    // A withdrawal that is forgotten has given the reserve back already.
    return age < SLICES ? budget.plus(RETRY, (int) age) : budget;
  }

  /** How many retries could be made now, with fractions. */
  public double balance(Instant now) {
    return (double) Math.max(0, at(now).saved(0)) / RETRY;
  }

  /** From that time on, when a retry may be made first if nothing happens; empty if never. */
  public Optional<Instant> nextWithdrawal(Instant from) {
    RetryBudget budget = at(from);
    for (int forgotten = 0; forgotten <= SLICES; forgotten++) {
      if (budget.saved(forgotten) >= RETRY) {
        long begin = (budget.slice + forgotten) * limits.sliceMillis();
        Instant possible = Instant.ofEpochMilli(begin);
        return Optional.of(possible.isAfter(from) ? possible : from);
      }
    }
    return Optional.empty();
  }

  /** What could be withdrawn if so many of the oldest slices were forgotten. */
  private long saved(int forgotten) {
    long sum = limits.reserve();
    for (long amount : slices.subList(forgotten, SLICES)) {
      sum += amount;
    }
    return sum;
  }

  /** Adds an amount to the slice of that age, 0 for the running one, as far as there is room. */
  private RetryBudget plus(long amount, int age) {
    int index = SLICES - 1 - age;
    List<Long> next = new ArrayList<>(slices);
    long room = Math.max(limits.whole(), limits.reserve()) - saved(0);
    next.set(index, next.get(index) + Math.min(amount, room));
    return new RetryBudget(limits, next, slice);
  }

  /** The budget with what is too old forgotten. Time that goes back changes nothing. */
  private RetryBudget at(Instant now) {
    int steps = Math.clamp(limits.slice(now) - slice, 0, SLICES);
    if (steps == 0) {
      return this;
    }
    List<Long> next = new ArrayList<>(slices.subList(steps, SLICES));
    next.addAll(Collections.nCopies(steps, 0L));
    // A withdrawal that is forgotten may leave more than there is room for.
    return new RetryBudget(limits, next, limits.slice(now)).plus(0, 0);
  }
}
