package io.poolkeeper.simulation;

import io.poolkeeper.config.Settings;
import io.poolkeeper.judge.Documented;
import io.poolkeeper.lock.LockLimits;
import java.time.Duration;

/** The settings of a run, as the judge of waiting needs them. */
final class WaitTerms {
  private WaitTerms() {}

  static Documented of(SimOptions options) {
    Settings settings = options.settings();
    Settings.Updater updater = settings.updater();
    Settings.Turnstile turnstile = settings.turnstile();
    Settings.Writes writes = turnstile.writes();
    Settings.Early early = turnstile.early();
    Settings.Budget budget = turnstile.retryBudget();
    return new Documented(
        updater.interval(),
        updater.minInterval(),
        updater.leadingEdge(),
        updater.verifyAfter(),
        updater.resync(),
        updater.maxRetries(),
        bucket(writes.milliPerSecond(), writes.burst(), writes.initial()),
        bucket(0, writes.reserveBurst(), writes.reserveInitial()),
        bucket(
            turnstile.reads().milliPerSecond(),
            turnstile.reads().burst(),
            turnstile.reads().burst()),
        bucket(early.milliPerSecond(), early.burst(), early.initial()),
        early.share() / 1_000.0,
        new Documented.Budget(
            budget.cap(),
            budget.ttl(),
            budget.perSecond() / 1_000.0,
            budget.percent() / 100.0,
            budget.depositAttempts()),
        turnstile.maxInFlight(),
        turnstile.turnDeadline(),
        turnstile.settleLimit(),
        turnstile.maxRetryAfter(),
        settings.adminState().minBackoff(),
        settings.adminState().maxBackoff(),
        settings.adminState().minActive(),
        settings.lock().drainWait(),
        settings.lock().unreachableAfter(),
        settings.lock().maxTail(),
        settings.lock().enabled() ? LockLimits.TAIL : Duration.ZERO);
  }

  private static Documented.Bucket bucket(int milliPerSecond, int burst, int initial) {
    return new Documented.Bucket(milliPerSecond / 1_000.0, burst, initial);
  }
}
