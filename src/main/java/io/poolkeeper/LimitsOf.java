package io.poolkeeper;

import io.poolkeeper.config.Settings;
import io.poolkeeper.retry.RetryBudget;
import io.poolkeeper.turnstile.TokenBucket.Rate;
import io.poolkeeper.turnstile.TurnstileLimits;
import java.util.Collections;
import java.util.List;

/** The limits of cores, as the settings have them. Cores know no settings. */
public final class LimitsOf {
  private LimitsOf() {}

  public static TurnstileLimits turnstile(Settings.Turnstile settings, Settings.Updater updater) {
    Settings.Writes writes = settings.writes();
    Settings.Early early = settings.early();
    Settings.Budget budget = settings.retryBudget();
    return new TurnstileLimits(
        new Rate(writes.burst(), writes.milliPerSecond()),
        writes.initial(),
        new Rate(writes.reserveBurst(), writes.milliPerSecond()),
        writes.reserveInitial(),
        new Rate(settings.reads().burst(), settings.reads().milliPerSecond()),
        new TurnstileLimits.Early(
            new Rate(early.burst(), early.milliPerSecond()), early.initial(), early.share()),
        settings.maxInFlight(),
        settings.turnDeadline(),
        settings.settleLimit(),
        updater.leadingEdge()
            ? Collections.min(List.of(updater.minInterval(), updater.interval()))
            : updater.interval(),
        updater.interval(),
        new RetryBudget.Limits(budget.cap(), budget.ttl(), budget.perSecond(), budget.percent()),
        budget.depositAttempts());
  }
}
