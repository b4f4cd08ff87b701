package io.poolkeeper.service;

import io.poolkeeper.model.PoolId;
import io.poolkeeper.pool.AdminReport;
import java.util.Set;

/** The port through which is heard how far nodes are drained. Never blocks, never fails. */
public interface DrainObserver {
  DrainObserver NONE =
      new DrainObserver() {
        @Override
        public void appeared(PoolId pool) {}

        @Override
        public void gone(PoolId pool) {}

        @Override
        public void looked(long version) {}

        @Override
        public void interfaces(Set<String> ipConfigurations) {}

        @Override
        public void reported(PoolId pool, AdminReport report) {}
      };

  /** The pool has an actor, which will report. */
  void appeared(PoolId pool);

  /** The pool has none any more. */
  void gone(PoolId pool);

  /**
   * All pools that there are have been shown a listing that began after this version of {@link
   * io.poolkeeper.model.OutOfService} had come.
   */
  void looked(long version);

  /** The IP configurations in pools that do not say which machine has them, folded. */
  void interfaces(Set<String> ipConfigurations);

  void reported(PoolId pool, AdminReport report);
}
