package io.poolkeeper.cli;

import java.time.Duration;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** {@code 500ms}, {@code 2s}, {@code 1m}, {@code 2h}, {@code 1d}: as in the configuration. */
public final class DurationConverter implements ITypeConverter<Duration> {
  @Override
  public Duration convert(String value) {
    String text = value.trim().toLowerCase(Locale.ROOT);
    try {
      if (text.endsWith("ms")) {
        return Duration.ofMillis(Long.parseLong(text.substring(0, text.length() - 2)));
      }
      return text.endsWith("d") ? Duration.parse("P" + text) : Duration.parse("PT" + text);
    } catch (RuntimeException malformed) {
      throw new TypeConversionException(
          "'" + value + "' is no duration: a number with ms, s, m, h or d");
    }
  }
}
