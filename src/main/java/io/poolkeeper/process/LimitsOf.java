package io.poolkeeper.process;

import io.poolkeeper.admission.AdmissionLimits;
import io.poolkeeper.config.Settings;
import io.poolkeeper.lock.LockLimits;
import io.poolkeeper.node.NodeLimits;
import io.poolkeeper.pool.Brake;
import io.poolkeeper.pool.PoolLimits;
import io.poolkeeper.retry.Backoff;
import io.poolkeeper.retry.Jitter;
import io.poolkeeper.retry.RetryBudget;
import io.poolkeeper.turnstile.TokenBucket.Rate;
import io.poolkeeper.turnstile.TurnstileLimits;
import java.util.Set;

/** The limits of cores, as the settings have them. Cores know no settings. */
public final class LimitsOf {
  private LimitsOf() {}

  public static PoolLimits pool(Settings settings) {
    Settings.Updater updater = settings.updater();
    Settings.AdminState adminState = settings.adminState();
    Settings.Brake brake = settings.brake();
    return new PoolLimits(
        updater.interval(),
        updater.minInterval(),
        updater.leadingEdge(),
        updater.coalesceWindow(),
        updater.verifyAfter(),
        updater.resync(),
        updater.maxRetries(),
        new Backoff(adminState.minBackoff(), adminState.maxBackoff(), Jitter.EQUAL),
        new Brake(brake.maxRemoval(), brake.minEntries(), brake.delay()),
        settings.shadow());
  }

  public static NodeLimits nodes(Settings settings) {
    Settings.AdminState adminState = settings.adminState();
    return new NodeLimits(
        adminState.enabled(),
        settings.spot().enabled() && !settings.optIn(),
        settings.spot().eventMessages(),
        adminState.minActive(),
        adminState.coalesceWindow(),
        Set.copyOf(adminState.extraTaints()));
  }

  public static AdmissionLimits admission(Settings.Admission settings) {
    return new AdmissionLimits(settings.maxDelay());
  }

  public static LockLimits lock(Settings.Lock settings) {
    return new LockLimits(settings.maxHold(), settings.maxTail(), settings.yield());
  }

  /** The pauses of gates are the spacings of a pool. */
  public static TurnstileLimits turnstile(Settings.Turnstile settings, PoolLimits pool) {
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
        pool.minInterval(),
        pool.interval(),
        new RetryBudget.Limits(budget.cap(), budget.ttl(), budget.perSecond(), budget.percent()),
        budget.depositAttempts());
  }
}
