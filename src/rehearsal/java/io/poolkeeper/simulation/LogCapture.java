package io.poolkeeper.simulation;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;
import org.slf4j.helpers.MessageFormatter;

/**
 * What the program logs while a run lasts, on the run's thread: warnings go into the trace, and an
 * error that was not injected breaks the run. Nothing of it is printed; other threads log as ever.
 */
final class LogCapture extends TurboFilter {
  private final Thread thread = Thread.currentThread();
  private final SimWorld sim;

  private LogCapture(SimWorld sim) {
    this.sim = sim;
  }

  static LogCapture of(SimWorld sim) {
    LogCapture capture = new LogCapture(sim);
    context().addTurboFilter(capture);
    return capture;
  }

  private static LoggerContext context() {
    return (LoggerContext) LoggerFactory.getILoggerFactory();
  }

  @Override
  public FilterReply decide(
      @Nullable Marker marker,
      Logger logger,
      Level level,
      @Nullable String format,
      Object @Nullable [] arguments,
      @Nullable Throwable failure) {
    if (!Thread.currentThread().equals(thread)) {
      return FilterReply.NEUTRAL;
    }
    if (format != null && arguments != null) {
      sim.process.ifPresent(process -> process.ledger.logged(format, arguments));
    }
    if (format != null && level.isGreaterOrEqual(Level.WARN)) {
      String line = MessageFormatter.basicArrayFormat(format, arguments);
      // What Pekko says of its actors is not the same twice.
      if (logger.getName().startsWith("io.poolkeeper.")) {
        sim.trace.say("log: " + line);
      }
      if (line.contains("outcome=lost")) {
        sim.mark(RunMark.PERMIT_LOST);
      }
      if (level == Level.ERROR) {
        // Logback finds the failure among the arguments only later.
        error(line, failure == null ? MessageFormatter.getThrowableCandidate(arguments) : failure);
      }
    }
    return FilterReply.DENY;
  }

  private void error(String line, @Nullable Throwable failure) {
    Throwable cause = failure;
    while (cause != null && cause.getCause() != null) {
      cause = cause.getCause();
    }
    boolean known =
        cause instanceof VirtualTime.InjectedFailure || cause instanceof SimWorld.Violation;
    if (!known) {
      sim.broken("an actor failed: %s: %s".formatted(line, cause));
    }
  }

  void close() {
    context().getTurboFilterList().remove(this);
  }
}
