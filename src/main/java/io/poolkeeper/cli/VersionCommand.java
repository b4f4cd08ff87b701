package io.poolkeeper.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "version",
    description = "Prints version, commit, JDK and the versions of the APIs in use.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    footer = {"", "Example:", "  poolkeeper version"})
final class VersionCommand implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // Injected before run.
  private CommandSpec spec;

  @Override
  public void run() {
    spec.commandLine().printVersionHelp(spec.commandLine().getOut());
  }
}
