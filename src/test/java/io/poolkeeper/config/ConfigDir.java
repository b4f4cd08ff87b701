package io.poolkeeper.config;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A directory with configuration files to load; messages are without its name. The mode is write,
 * by the environment, if that does not say another.
 */
record ConfigDir(Path path) {
  static final String REQUIRED =
      """
      poolkeeper.azure.subscription-id = sub-1
      poolkeeper.azure.resource-group = rg-1
      """;

  Path write(String name, String text) {
    try {
      return Files.writeString(path.resolve(name), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, String> withMode(Map<String, String> env) {
    var all = new HashMap<>(env);
    all.putIfAbsent("POOLKEEPER_MODE", "write");
    return all;
  }

  /** Loads these lines after the two required ones. */
  LoadedSettings load(String... lines) {
    return loadFile(REQUIRED + String.join("\n", lines), Map.of());
  }

  LoadedSettings loadFile(String text, Map<String, String> env) {
    return SettingsLoader.load(write("p.conf", text), Optional.empty(), withMode(env));
  }

  /** The problems of these lines after the two required ones, which are lines 1 and 2. */
  List<String> problems(String... lines) {
    return problemsOf(REQUIRED + String.join("\n", lines), Map.of());
  }

  List<String> problemsOf(String text, Map<String, String> env) {
    return problemsOf(write("p.conf", text), Optional.empty(), env);
  }

  List<String> problemsOf(Path file, Optional<Path> azureConfig, Map<String, String> env) {
    var failure =
        catchThrowableOfType(
            InvalidConfigException.class,
            () -> SettingsLoader.load(file, azureConfig, withMode(env)));
    return Arrays.asList(failure.getMessage().replace(path + "/", "").split("\n"));
  }

  /** Loads an azure.json beside an empty file. */
  LoadedSettings loadAzureJson(String json, Map<String, String> env, String... lines) {
    write("azure.json", json);
    var text =
        Stream.concat(Stream.of("poolkeeper.azure.config-file = azure.json"), Stream.of(lines));
    return loadFile(String.join("\n", text.toList()), env);
  }

  /** The problems of an azure.json beside an empty file. */
  List<String> azureJsonProblems(String json) {
    write("azure.json", json);
    return problemsOf("poolkeeper.azure.config-file = azure.json", Map.of());
  }
}
