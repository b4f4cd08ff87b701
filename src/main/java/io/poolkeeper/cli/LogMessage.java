package io.poolkeeper.cli;

import ch.qos.logback.classic.pattern.ClassicConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.poolkeeper.model.Truncated;
import io.poolkeeper.trace.Tracing;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.slf4j.event.KeyValuePair;
import org.slf4j.helpers.MessageFormatter;

/**
 * A message for a line of the log, as fields of {@code key=value}. Invariant: a value is one field
 * and never two, as all that is put in is quoted unless it is one plain word; so is the whole
 * message of a library. Nothing ends the line or changes how it is shown: control characters become
 * escapes.
 */
public final class LogMessage extends ClassicConverter {
  private static final String PLACE = "{}";

  /** Of what a library says, which may be anybody's words; in characters. */
  static final int LONGEST = 2_000;

  private static final String OURS = "io.poolkeeper.";
  private static final Pattern PLAIN =
      Pattern.compile("[^\\s\"=\\p{Cc}\\p{Cf}]+", Pattern.UNICODE_CHARACTER_CLASS);

  @Override
  public String convert(ILoggingEvent event) {
    StringBuilder text = new StringBuilder(filled(event));
    if (event.getKeyValuePairs() != null) {
      for (KeyValuePair pair : event.getKeyValuePairs()) {
        text.append(' ').append(pair.key).append('=').append(quoted(pair.value));
      }
    }
    Optional.ofNullable(event.getMDCPropertyMap().get(Tracing.LOG_KEY))
        .ifPresent(id -> text.append(' ').append(Tracing.LOG_KEY).append('=').append(id));
    return visible(text.toString());
  }

  private static String filled(ILoggingEvent event) {
    String message = Objects.requireNonNullElse(event.getMessage(), "");
    if (!event.getLoggerName().startsWith(OURS)) {
      return "message=" + quoted(Truncated.middle(LONGEST, event.getFormattedMessage()));
    }
    if (event.getArgumentArray() == null) {
      return message;
    }
    Object[] arguments = event.getArgumentArray().clone();
    int place = message.indexOf(PLACE);
    for (int i = 0; i < arguments.length && place >= 0; i++) {
      boolean within =
          message.substring(0, place).chars().filter(letter -> letter == '"').count() % 2 == 1;
      String text = text(arguments[i]);
      arguments[i] = within ? escaped(text) : PLAIN.matcher(text).matches() ? text : quoted(text);
      place = message.indexOf(PLACE, place + PLACE.length());
    }
    return MessageFormatter.basicArrayFormat(message, arguments);
  }

  private static String text(Object value) {
    return value instanceof Object[] many ? Arrays.toString(many) : String.valueOf(value);
  }

  private static String quoted(Object value) {
    return '"' + escaped(text(value)) + '"';
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("\"", "\\\"");
  }

  /** With escapes for all that ends a line or changes the direction of writing. */
  static String visible(String text) {
    StringBuilder shown = new StringBuilder(text.length());
    text.codePoints().forEach(codePoint -> append(shown, codePoint));
    return shown.toString();
  }

  private static void append(StringBuilder shown, int codePoint) {
    switch (codePoint) {
      case '\n' -> shown.append("\\n");
      case '\r' -> shown.append("\\r");
      case '\t' -> shown.append("\\t");
      default -> {
        switch (Character.getType(codePoint)) {
          case Character.CONTROL,
              Character.FORMAT,
              Character.LINE_SEPARATOR,
              Character.PARAGRAPH_SEPARATOR ->
              // As Java and JSON write it, in two escapes if it takes two.
              Character.toString(codePoint)
                  .chars()
                  .forEach(unit -> shown.append("\\u%04x".formatted(unit)));
          default -> shown.appendCodePoint(codePoint);
        }
      }
    }
  }
}
