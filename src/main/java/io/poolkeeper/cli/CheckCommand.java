package io.poolkeeper.cli;

import io.poolkeeper.config.SettingsLoader;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code poolkeeper check}: validates the configuration and shows the settings in force with their
 * origin.
 */
@Command(
    name = "check",
    description = {
      "Validates the configuration and prints the settings in force.",
      "One per line, as `path = value  # origin`, secrets masked; or every problem at once."
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    footer = {"", "Example:", "  poolkeeper check --config conf/poolkeeper.conf"})
final class CheckCommand implements Runnable {
  private final Map<String, String> env;

  @Spec
  @SuppressWarnings("NullAway.Init") // Injected before run.
  private CommandSpec spec;

  @Option(
      names = "--config",
      required = true,
      paramLabel = "FILE",
      description = "The configuration (HOCON).")
  @SuppressWarnings("NullAway.Init") // Required.
  private Path config;

  @Option(
      names = "--azure-config",
      paramLabel = "FILE",
      description = "The cloud provider's azure.json, instead of azure.config-file.")
  private @Nullable Path azureConfig;

  CheckCommand(Map<String, String> env) {
    this.env = env;
  }

  @Override
  public void run() {
    var loaded = SettingsLoader.load(config, Optional.ofNullable(azureConfig), env);
    var out = spec.commandLine().getOut();
    loaded.effective().forEach(out::println);
    out.flush();
    var err = spec.commandLine().getErr();
    loaded.warnings().forEach(warning -> err.println("warning: " + warning));
    err.flush();
  }
}
