package io.poolkeeper.cli;

import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** What all commands have: {@code --help}, {@code --version}, and where they print. */
@Command(mixinStandardHelpOptions = true, versionProvider = Version.class)
public abstract class CliCommand {
  @Spec
  @SuppressWarnings("NullAway.Init") // Injected before run.
  private CommandSpec spec;

  protected final CommandSpec spec() {
    return spec;
  }

  /** Where the command prints its answer; the caller flushes it. */
  protected final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  /** Prints a line at once; it may name what others named. */
  protected final void say(String line) {
    out().println(PrintableText.of(line));
    out().flush();
  }
}
