package io.poolkeeper.cli;

import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Logs an exception that ends a thread, in the log's own format. A task that a closed executor
 * refuses is no error: the Kubernetes client lists on until it is closed.
 */
final class UncaughtFailures implements Thread.UncaughtExceptionHandler {
  private static final Logger log = LoggerFactory.getLogger(UncaughtFailures.class);

  @Override
  public void uncaughtException(Thread thread, Throwable failed) {
    log.atLevel(failed instanceof RejectedExecutionException ? Level.DEBUG : Level.ERROR)
        .setCause(failed)
        .log("thread=\"{}\" state=failed", thread.getName());
  }
}
