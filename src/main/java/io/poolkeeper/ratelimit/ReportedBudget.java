package io.poolkeeper.ratelimit;

import io.poolkeeper.ratelimit.RateLimiterEffect.BudgetEmptied;
import io.poolkeeper.ratelimit.RateLimiterEffect.BudgetRefilled;
import io.poolkeeper.ratelimit.RateLimiterEffect.RetryHeldBack;
import java.util.ArrayList;
import java.util.List;

/**
 * What was reported of the retry budget. It makes sure that each begin and end is reported once.
 *
 * @param empty whether a request had to wait for the budget, and the budget is still empty
 * @param heldBack whether a request had to wait for the budget since the last retry was granted
 */
record ReportedBudget(boolean empty, boolean heldBack) {
  static final ReportedBudget NOTHING = new ReportedBudget(false, false);

  /** A retry was granted. */
  ReportedBudget retried() {
    return new ReportedBudget(empty, false);
  }

  /**
   * What is reported after a decision. The budget stays empty in reports while single retries are
   * allowed and requests wait.
   *
   * @param waits whether a request waits for the budget alone
   * @param allowsNone whether the budget is empty now
   */
  ReportedBudget with(boolean waits, boolean allowsNone) {
    return new ReportedBudget(waits || (empty && allowsNone), waits || heldBack);
  }

  /** The begin or end that was not reported before. */
  List<RateLimiterEffect> since(ReportedBudget before) {
    List<RateLimiterEffect> all = new ArrayList<>();
    if (heldBack && !before.heldBack) {
      all.add(new RetryHeldBack());
    }
    if (empty != before.empty) {
      all.add(empty ? new BudgetEmptied() : new BudgetRefilled());
    }
    return all;
  }
}
