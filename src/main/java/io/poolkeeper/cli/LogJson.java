package io.poolkeeper.cli;

import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.poolkeeper.model.Truncated;
import io.poolkeeper.trace.Tracing;

/**
 * A line of the log as JSON. Of the context of its thread it has the trace's id alone. Each text is
 * cut to {@link #LONGEST}, as servers have said some of it.
 */
public final class LogJson extends JsonEncoder {
  /** In characters; our own messages may be long, too. */
  private static final int LONGEST = 5 * LogMessage.LONGEST;

  @Override
  protected void appenderMember(StringBuilder text, String name, String value) {
    super.appenderMember(text, name, Truncated.middle(LONGEST, value));
  }

  @Override
  protected void appendMDC(StringBuilder text, ILoggingEvent event) {
    String id = event.getMDCPropertyMap().get(Tracing.LOG_KEY);
    if (id != null) {
      appendValueSeparator(text, true);
      appenderMember(text, Tracing.LOG_KEY, id);
    }
  }
}
