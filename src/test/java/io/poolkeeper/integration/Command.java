package io.poolkeeper.integration;

import io.poolkeeper.cli.Cli;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A command of the command line that has run.
 *
 * @param code its exit code
 */
record Command(int code, String out, String err) {
  /** With an option that says whom it asks. */
  static Command ask(String option, String whom, String command, String... arguments) {
    return run(
        Stream.concat(Stream.of(command, option, whom), Stream.of(arguments))
            .toArray(String[]::new));
  }

  static Command run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = Cli.run(List.of(arguments), new PrintWriter(out), new PrintWriter(err), Map.of());
    return new Command(code, out.toString(), err.toString());
  }
}
