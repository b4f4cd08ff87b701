package io.poolkeeper.cli;

import io.poolkeeper.config.InvalidConfigException;
import io.poolkeeper.config.LoadedSettings;
import io.poolkeeper.config.LoadedSettings.Effective;
import io.poolkeeper.config.Problem;
import io.poolkeeper.trace.TracingSettings;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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
    footer = {"", "Example:", "  poolkeeper check --config conf/poolkeeper.conf"})
final class CheckCommand extends CliCommand implements Callable<Integer> {
  private final Map<String, String> env;

  @Mixin private final ConfigFiles files = new ConfigFiles();

  @Mixin private final OptionCheck options = new OptionCheck();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "text|json",
      defaultValue = "text",
      description = "json: settings, warnings and problems as one object on stdout.")
  @SuppressWarnings("NullAway.Init") // Has a default.
  private String output;

  /** What {@code -o json} prints; the names of its members are a contract. */
  record Report(List<Effective> settings, List<String> warnings, List<Problem> problems) {}

  CheckCommand(Map<String, String> env) {
    this.env = env;
  }

  @Override
  public Integer call() {
    return switch (output.toLowerCase(Locale.ROOT)) {
      case "text" -> text();
      case "json" -> json();
      default -> throw options.wrong("-o", output, "text, json");
    };
  }

  private int text() {
    LoadedSettings loaded = files.load(env);
    var out = out();
    loaded.effective().forEach(out::println);
    out.flush();
    var err = spec().commandLine().getErr();
    warnings(loaded).forEach(warning -> err.println("warning: " + warning));
    err.flush();
    return 0;
  }

  private int json() {
    try {
      LoadedSettings loaded = files.load(env);
      return print(new Report(loaded.effective(), warnings(loaded), List.of()));
    } catch (InvalidConfigException invalid) {
      return print(new Report(List.of(), List.of(), invalid.problems()));
    }
  }

  /** The warnings of the settings, and why there would be no traces. */
  private List<String> warnings(LoadedSettings loaded) {
    Stream<String> traces =
        TracingSettings.of(env).problems().stream().map(why -> why + "; nothing is traced");
    return Stream.concat(loaded.warnings().stream(), traces).toList();
  }

  private int print(Report report) {
    Output.JSON.print(out(), Leader.JSON.valueToTree(report), answer -> List.of());
    return report.problems().isEmpty() ? 0 : 1;
  }
}
