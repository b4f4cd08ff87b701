package io.poolkeeper.cli;

import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.poolkeeper.model.Truncated;
import java.util.stream.Collectors;

/**
 * A stack trace below its line of the log. Each of its lines begins with a tab, whatever the
 * messages of exceptions contain: no line of an event does.
 */
public final class LogTrace extends ThrowableProxyConverter {
  @Override
  public String convert(ILoggingEvent event) {
    return super.convert(event)
        .lines()
        .map(
            line ->
                "\t"
                    + LogMessage.visible(Truncated.middle(LogMessage.LONGEST, line.strip()))
                    + System.lineSeparator())
        .collect(Collectors.joining());
  }
}
