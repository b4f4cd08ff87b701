package io.poolkeeper.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What OpenTelemetry's standard variables say of tracing. It is on if one of them names where
 * traces go. They mean what OpenTelemetry says; only the defaults differ: OTLP over HTTP, traces
 * alone.
 *
 * @param asked whether a variable asks for traces
 * @param properties of the SDK; some may be secret
 * @param problems why there are none all the same; one for each variable
 */
public record TracingSettings(
    boolean asked, Map<String, String> properties, List<String> problems) {
  private static final String ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT";
  private static final String TRACES_ENDPOINT = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";
  private static final String EXPORTER = "OTEL_TRACES_EXPORTER";
  private static final List<String> PROTOCOLS =
      List.of("OTEL_EXPORTER_OTLP_PROTOCOL", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL");
  private static final String HTTP = "http/protobuf";

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
    for (String name : PROTOCOLS) {
      value(env, name)
          .filter(given -> !given.equals(HTTP))
          .ifPresent(given -> problems.add(problem(name, given, HTTP)));
    }
    return new TracingSettings(true, properties(env), problems);
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
    all.put("otel.metrics.exporter", "none");
    all.put("otel.logs.exporter", "none");
    env.forEach(
        (name, text) -> {
          if (name.startsWith("OTEL_") && !text.isBlank()) {
            all.put(name.toLowerCase(Locale.ROOT).replace('_', '.'), text);
          }
        });
    return all;
  }

  /** The host that traces go to, without what may be secret in its URL. */
  public String host() {
    return Optional.ofNullable(properties.get("otel.exporter.otlp.traces.endpoint"))
        .or(() -> Optional.ofNullable(properties.get("otel.exporter.otlp.endpoint")))
        .map(url -> url.replaceFirst("^[a-z]+://([^/?#]*@)?", "").replaceFirst("[/?#].*", ""))
        .orElse("localhost:4318");
  }

  @Override
  public String toString() {
    return "TracingSettings[asked=%s, problems=%s]".formatted(asked, problems);
  }
}
