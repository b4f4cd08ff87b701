package io.poolkeeper.kube;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** Captures the log of fabric8's informers, which is the only sign of a 410. */
final class ReflectorLog implements AutoCloseable {
  private final Logger logger =
      (Logger) LoggerFactory.getLogger("io.fabric8.kubernetes.client.informers");
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

  ReflectorLog() {
    lines.start();
    logger.addAppender(lines);
    logger.setAdditive(false);
    logger.setLevel(Level.DEBUG);
  }

  List<String> messages() {
    return List.copyOf(lines.list).stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  @Override
  public void close() {
    logger.setLevel(null);
    logger.setAdditive(true);
    logger.detachAppender(lines);
  }
}
