package io.poolkeeper.model;

import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Commands for people to copy into a POSIX shell. Each value in one is a single word that the shell
 * does not interpret, as it may come from Azure, the API server or another tenant.
 */
public final class ShellCommand {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:@%+,-]+");

  /**
   * A terminal obeys it when it is pasted, in quotes, too, or shows the text in another order than
   * it has.
   */
  private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}\\x{80}-\\x{9f}\\p{Cf}]");

  private ShellCommand() {}

  /** The command with each {@code %s} replaced by a value. */
  public static String of(String template, String... values) {
    return template.formatted(Stream.of(values).map(ShellCommand::word).toArray());
  }

  private static String word(String value) {
    String printable = CONTROL.matcher(value).replaceAll("?");
    return PLAIN.matcher(printable).matches()
        ? printable
        : "'" + printable.replace("'", "'\\''") + "'";
  }
}
