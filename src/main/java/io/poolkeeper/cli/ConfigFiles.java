package io.poolkeeper.cli;

import io.poolkeeper.config.LoadedSettings;
import io.poolkeeper.config.Settings;
import io.poolkeeper.config.SettingsLoader;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The options that name the configuration, as a mixin: the same for all commands that load it. */
@Command
final class ConfigFiles {
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

  LoadedSettings load(Map<String, String> env) {
    return SettingsLoader.load(config, Optional.ofNullable(azureConfig), env);
  }

  Settings loadForCommand(Map<String, String> env) {
    return SettingsLoader.loadForCommand(config, Optional.ofNullable(azureConfig), env);
  }
}
