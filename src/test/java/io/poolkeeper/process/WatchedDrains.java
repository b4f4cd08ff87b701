package io.poolkeeper.process;

import io.poolkeeper.model.PoolId;
import io.poolkeeper.pool.AdminReport;
import io.poolkeeper.service.DrainObserver;
import java.util.Set;
import java.util.function.BiConsumer;

/** Passes on what pools report, and lets a test look on. */
record WatchedDrains(DrainObserver to, BiConsumer<PoolId, AdminReport> reports)
    implements DrainObserver {
  @Override
  public void appeared(PoolId pool) {
    to.appeared(pool);
  }

  @Override
  public void gone(PoolId pool) {
    to.gone(pool);
  }

  @Override
  public void looked(long version) {
    to.looked(version);
  }

  @Override
  public void interfaces(Set<String> ipConfigurations) {
    to.interfaces(ipConfigurations);
  }

  @Override
  public void reported(PoolId pool, AdminReport report) {
    reports.accept(pool, report);
    to.reported(pool, report);
  }
}
