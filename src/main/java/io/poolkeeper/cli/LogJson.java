package io.poolkeeper.cli;

import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;

/** A line of the log as JSON; of what belongs to its thread it has the trace's id alone. */
public final class LogJson extends JsonEncoder {
  @Override
  protected void appendMDC(StringBuilder text, ILoggingEvent event) {
    String id = event.getMDCPropertyMap().get(LogMessage.TRACE_ID);
    if (id != null) {
      text.append(",\"").append(LogMessage.TRACE_ID).append("\":\"").append(id).append('"');
    }
  }
}
