package io.poolkeeper.integration;

import io.poolkeeper.cli.Cli;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;

/**
 * A command of the command line that has run.
 *
 * @param code its exit code
 */
record Command(int code, String out, String err) {
  static Command run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = Cli.run(List.of(arguments), new PrintWriter(out), new PrintWriter(err), Map.of());
    return new Command(code, out.toString(), err.toString());
  }
}
