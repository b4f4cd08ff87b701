package io.poolkeeper.ops;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** Prometheus' own tool, which .ci/native/promtool fetches, and what our rules say by it. */
public final class Promtool {
  private static final Path RULES = Path.of("deploy", "observability");

  /** From sample to sample. */
  private static final Duration INTERVAL = Duration.ofSeconds(15);

  private Promtool() {}

  /** What it prints; it must end well. */
  public static String run(String... arguments) throws IOException, InterruptedException {
    return output(start(arguments).start());
  }

  /** Not started yet, beside the rules. */
  public static ProcessBuilder start(String... arguments) {
    Path tools = Path.of(Objects.requireNonNull(System.getProperty("kube.native.dir")), "bin");
    List<String> command = new ArrayList<>(List.of(tools.resolve("promtool").toString()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).directory(RULES.toFile()).redirectErrorStream(true);
  }

  public static String output(Process process) throws IOException, InterruptedException {
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  /**
   * These alerts fire, and no other, 6 minutes after two scrapes if counters and ages go on as
   * between them.
   *
   * @param file for the test that Prometheus runs
   * @param between the time from one scrape to the other
   */
  public static void fires(
      Path file, String first, String second, Duration between, List<String> alerts)
      throws IOException, InterruptedException {
    Map<String, Double> before = samples(first);
    double steps = (double) between.toNanos() / INTERVAL.toNanos();
    String series =
        samples(second).entrySet().stream()
            .map(
                of -> {
                  double was = before.getOrDefault(of.getKey(), 0.0);
                  double step = Math.max(0, (of.getValue() - was) / steps);
                  return "      - {series: '%s', values: %s+%sx30}"
                      .formatted(of.getKey().replace("'", "''"), of.getValue(), step);
                })
            .collect(Collectors.joining("\n"));
    String expected =
        alerts.stream()
            .map("          - {labels: '{alertname=\"%s\"}', value: 1}"::formatted)
            .collect(Collectors.joining("\n"));
    Files.writeString(
        file,
        """
        rule_files: ['%s']
        evaluation_interval: 15s
        tests:
          - interval: 15s
            input_series:
        %s
            promql_expr_test:
              - expr: group by (alertname) (ALERTS{alertstate="firing"})
                eval_time: 6m
                exp_samples:
        %s
        """
            .formatted(
                RULES.resolve("prometheus-rules.yaml").toAbsolutePath(),
                series,
                expected.isEmpty() ? "          []" : expected));
    assertThat(run("test", "rules", file.toAbsolutePath().toString())).contains("SUCCESS");
  }

  /** Those without a value show nothing, and no alert looks at distributions. */
  private static Map<String, Double> samples(String scrape) {
    Map<String, Double> samples = new HashMap<>();
    scrape
        .lines()
        .filter(line -> line.startsWith("poolkeeper_") && !line.contains("_bucket{"))
        .forEach(
            line -> {
              int end = line.lastIndexOf(' ');
              double value = Double.parseDouble(line.substring(end + 1));
              if (Double.isFinite(value)) {
                samples.put(line.substring(0, end), value);
              }
            });
    return samples;
  }
}
