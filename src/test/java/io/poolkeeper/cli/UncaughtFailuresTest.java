package io.poolkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class UncaughtFailuresTest {
  private static List<ILoggingEvent> logged(RuntimeException failure) throws InterruptedException {
    Logger logger = (Logger) LoggerFactory.getLogger(UncaughtFailures.class);
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    logger.addAppender(lines);
    try {
      Thread thread =
          Thread.ofPlatform()
              .name("a \"b")
              .uncaughtExceptionHandler(new UncaughtFailures())
              .start(
                  () -> {
                    throw failure;
                  });
      thread.join();
      return lines.list;
    } finally {
      logger.detachAppender(lines);
    }
  }

  @Test
  void uncaught_defect_isAnErrorOfTheLog() throws InterruptedException {
    assertThat(logged(new IllegalStateException("x")))
        .singleElement()
        .satisfies(
            line -> {
              assertThat(line.getLevel()).isEqualTo(Level.ERROR);
              assertThat(line.getFormattedMessage()).isEqualTo("thread=\"a \"b\" state=failed");
              assertThat(line.getThrowableProxy().getMessage()).isEqualTo("x");
            });
  }

  @Test
  void uncaught_taskAfterTheEnd_isNone() throws InterruptedException {
    assertThat(logged(new RejectedExecutionException("closed"))).isEmpty();
  }
}
