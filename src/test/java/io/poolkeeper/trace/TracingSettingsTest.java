package io.poolkeeper.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.of;

import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which of OpenTelemetry's variables turn tracing on. */
class TracingSettingsTest {
  private static final String ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT";
  private static final String HERE = "http://collector:4318";

  static Stream<Arguments> environments() {
    return Stream.of(
        of(Map.of(), false),
        of(Map.of("OTEL_SERVICE_NAME", "x"), false),
        of(Map.of(ENDPOINT, " "), false),
        of(Map.of(ENDPOINT, HERE), true),
        of(Map.of("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", HERE + "/v1/traces"), true),
        of(Map.of("OTEL_TRACES_EXPORTER", "otlp"), true),
        of(Map.of("OTEL_TRACES_EXPORTER", "none", ENDPOINT, HERE), false),
        of(Map.of("OTEL_SDK_DISABLED", "True", ENDPOINT, HERE), false),
        of(Map.of("OTEL_SDK_DISABLED", "false", ENDPOINT, HERE), true));
  }

  @ParameterizedTest
  @MethodSource("environments")
  void of_environment_asksForTraces(Map<String, String> env, boolean asked) {
    assertThat(TracingSettings.of(env).asked()).isEqualTo(asked);
    assertThat(TracingSettings.of(env).problems()).isEmpty();
  }

  @Test
  void of_anotherProtocolAndExporter_namesEachWithWhatIsAllowed() {
    TracingSettings settings =
        TracingSettings.of(
            Map.of(
                ENDPOINT,
                HERE,
                "OTEL_TRACES_EXPORTER",
                "zipkin",
                "OTEL_EXPORTER_OTLP_PROTOCOL",
                "grpc",
                "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL",
                "http/json"));

    assertThat(settings.problems())
        .containsExactly(
            "OTEL_TRACES_EXPORTER: found zipkin, allowed: otlp, none",
            "OTEL_EXPORTER_OTLP_PROTOCOL: found grpc, allowed: http/protobuf",
            "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: found http/json, allowed: http/protobuf");
    InstantSource never =
        () -> {
          throw new AssertionError("nothing is traced");
        };
    assertThat(Telemetry.start(settings, Map.of(), never, never)).isEmpty();
  }

  @Test
  void properties_areOurDefaults_andWhatTheEnvironmentSays() {
    Map<String, String> properties =
        TracingSettings.of(Map.of(ENDPOINT, HERE, "OTEL_SERVICE_NAME", "lb", "PATH", "/bin"))
            .properties();

    assertThat(properties)
        .isEqualTo(
            Map.of(
                "otel.service.name", "lb",
                "otel.exporter.otlp.protocol", "http/protobuf",
                "otel.exporter.otlp.endpoint", HERE,
                "otel.metrics.exporter", "none",
                "otel.logs.exporter", "none"));
  }

  @Test
  void start_valueThatTheSdkRefuses_leavesItOff() {
    TracingSettings settings =
        TracingSettings.of(Map.of(ENDPOINT, "collector:4318", "OTEL_TRACES_SAMPLER", "sometimes"));

    assertThat(settings.problems()).isEmpty();
    assertThat(Telemetry.start(settings, Map.of(), InstantSource.system(), InstantSource.system()))
        .isEmpty();
  }

  @Test
  void hostAndText_hideWhatMayBeSecret() {
    TracingSettings settings =
        TracingSettings.of(
            Map.of(
                ENDPOINT,
                "https://user:secret@collector:4318/x?key=secret",
                "OTEL_EXPORTER_OTLP_HEADERS",
                "authorization=secret"));

    assertThat(settings.host()).isEqualTo("collector:4318");
    assertThat(List.of(settings.toString(), settings.host()))
        .noneMatch(of -> of.contains("secret"));
  }
}
