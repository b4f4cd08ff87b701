package io.poolkeeper.trace;

import io.poolkeeper.status.Installation;
import java.net.URI;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What OpenTelemetry's standard variables say of tracing. Tracing is on if a variable names where
 * traces go. The variables mean what OpenTelemetry says; only the defaults differ: OTLP over HTTP,
 * traces alone.
 *
 * @param asked whether a variable asks for traces
 * @param properties of the SDK; some may be secret
 * @param problems why there are no traces although asked for; one for each variable
 */
public record TracingSettings(
    boolean asked, Map<String, String> properties, List<String> problems) {
  private static final String ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT";
  private static final String TRACES_ENDPOINT = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";
  private static final String EXPORTER = "OTEL_TRACES_EXPORTER";

  /** The SDK makes room for all of it at the start. */
  private static final String QUEUE = "OTEL_BSP_MAX_QUEUE_SIZE";

  /** The first one that is given counts. */
  private static final List<String> PROTOCOLS =
      List.of("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL");

  private static final String HTTP = "http/protobuf";

  /** What no variable changes: there is nothing of the kind here, and other programs need it. */
  static final Map<String, String> FIXED =
      Map.of(
          "otel.metrics.exporter", "none",
          "otel.logs.exporter", "none",
          "otel.propagators", "none");

  public TracingSettings {
    properties = Map.copyOf(properties);
    problems = List.copyOf(problems);
  }

  /** Reads the environment. */
  public static TracingSettings of(Map<String, String> env) {
    String exporter = value(env, EXPORTER).orElse("otlp");
    boolean named =
        List.of(ENDPOINT, TRACES_ENDPOINT, EXPORTER).stream()
            .anyMatch(name -> value(env, name).isPresent());
    boolean off =
        exporter.equals("none")
            || value(env, "OTEL_SDK_DISABLED").filter("true"::equalsIgnoreCase).isPresent();
    if (!named || off) {
      return new TracingSettings(false, Map.of(), List.of());
    }
    List<String> problems = new ArrayList<>();
    if (!exporter.equals("otlp")) {
      problems.add(problem(EXPORTER, exporter, "otlp, none"));
    }
    PROTOCOLS.stream()
        .filter(name -> value(env, name).isPresent())
        .findFirst()
        .filter(name -> !value(env, name).equals(Optional.of(HTTP)))
        .ifPresent(name -> problems.add(problem(name, value(env, name).orElseThrow(), HTTP)));
    Stream.of(ENDPOINT, TRACES_ENDPOINT)
        .filter(name -> value(env, name).filter(url -> !isUrl(url)).isPresent())
        // It may hold a password.
        .forEach(name -> problems.add(problem(name, "another form", "http://HOST:PORT, https://")));
    value(env, QUEUE)
        .filter(size -> !size.matches("[1-9][0-9]{0,4}|100000"))
        .ifPresent(size -> problems.add(problem(QUEUE, size, "a whole number from 1 to 100000")));
    return new TracingSettings(true, properties(env), problems);
  }

  private static boolean isUrl(String text) {
    try {
      URI url = URI.create(text);
      return url.getHost() != null
          && url.getUserInfo() == null
          && List.of("http", "https").contains(url.getScheme());
    } catch (IllegalArgumentException none) {
      return false;
    }
  }

  private static Optional<String> value(Map<String, String> env, String name) {
    return Optional.ofNullable(env.get(name)).map(String::strip).filter(text -> !text.isEmpty());
  }

  private static String problem(String name, String found, String allowed) {
    return "%s: found %s, allowed: %s".formatted(name, found, allowed);
  }

  private static Map<String, String> properties(Map<String, String> env) {
    Map<String, String> all = new TreeMap<>();
    all.put("otel.service.name", "poolkeeper");
    all.put("otel.exporter.otlp.protocol", HTTP);
    env.forEach(
        (name, text) -> {
          if (name.startsWith("OTEL_") && !text.isBlank()) {
            all.put(name.toLowerCase(Locale.ROOT).replace('_', '.'), text);
          }
        });
    return all;
  }

  /** Starts tracing; empty, and nothing of the SDK is loaded, if no variable asks for it. */
  public Optional<Telemetry> start(Installation self, InstantSource wall, InstantSource monotonic) {
    Map<String, String> attributes =
        Map.of(
            "service.version", self.version(),
            "k8s.pod.name", self.pod(),
            "k8s.cluster.name", self.cluster());
    return asked ? Telemetry.start(this, attributes, wall, monotonic) : Optional.empty();
  }

  /** The host and port that traces go to. */
  public String host() {
    return Optional.ofNullable(properties.get("otel.exporter.otlp.traces.endpoint"))
        .or(() -> Optional.ofNullable(properties.get("otel.exporter.otlp.endpoint")))
        .map(url -> URI.create(url.strip()).getAuthority())
        .orElse("localhost:4318");
  }

  @Override
  public String toString() {
    return "TracingSettings[asked=%s, problems=%s]".formatted(asked, problems);
  }
}
