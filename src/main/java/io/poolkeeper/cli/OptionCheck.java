package io.poolkeeper.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Refuses values of a command's options, as a mixin: names option, value and what is allowed. */
@Command
public final class OptionCheck {
  public static final int MAX_PORT = 65_535;

  @Spec(Spec.Target.MIXEE)
  @SuppressWarnings("NullAway.Init") // Injected before run.
  private CommandSpec command;

  /** The value itself, if it is within the bounds. */
  public int inRange(String option, int found, int least, int most) {
    if (found < least || found > most) {
      throw wrong(option, Integer.toString(found), least + " to " + most);
    }
    return found;
  }

  /** The exception to throw for the value of a given option, which it shows as it was typed. */
  public ParameterException wrongAsTyped(String option, String allowed) {
    var given = command.commandLine().getParseResult().matchedOption(option);
    return wrong(option, String.join(" ", given.originalStringValues()), allowed);
  }

  /** The exception to throw for a value that is not allowed. */
  public ParameterException wrong(String option, String found, String allowed) {
    return refused("%s: found '%s', allowed: %s".formatted(option, found, allowed));
  }

  /** The exception to throw for options that do not go together. */
  public ParameterException refused(String message) {
    return new ParameterException(command.commandLine(), message);
  }
}
