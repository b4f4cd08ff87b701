package io.poolkeeper.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.of;

import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

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
                "OTEL_BSP_MAX_QUEUE_SIZE",
                "100001"));

    assertThat(settings.problems())
        .containsExactly(
            "OTEL_TRACES_EXPORTER: found zipkin, allowed: otlp, none",
            "OTEL_EXPORTER_OTLP_PROTOCOL: found grpc, allowed: http/protobuf",
            "OTEL_BSP_MAX_QUEUE_SIZE: found 100001, allowed: a whole number from 1 to 100000");
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
                "otel.exporter.otlp.endpoint", HERE));
  }

  @Test
  void of_protocolOfTraces_goesBeforeTheGeneralOne() {
    assertThat(
            TracingSettings.of(
                    Map.of(
                        ENDPOINT,
                        HERE,
                        "OTEL_EXPORTER_OTLP_PROTOCOL",
                        "grpc",
                        "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL",
                        "http/protobuf"))
                .problems())
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://user:secret@collector:4318",
        "https://user:secret@collector host:4318",
        "user:secret@collector:4318",
        "collector:4318",
        "ftp://collector:4318"
      })
  void of_endpointThatIsNoUrl_isRefusedWithoutItsText(String endpoint) {
    assertThat(TracingSettings.of(Map.of(ENDPOINT, endpoint)).problems())
        .containsExactly(
            "OTEL_EXPORTER_OTLP_ENDPOINT: found another form, allowed: http://HOST:PORT, https://");
  }

  /** As the OpenTelemetry operator injects them for other programs. */
  @Test
  void start_variablesOfOtherSignals_areNotUsed() {
    TracingSettings settings =
        TracingSettings.of(
            Map.of(
                ENDPOINT,
                HERE,
                "OTEL_PROPAGATORS",
                "tracecontext,baggage,b3",
                "OTEL_METRICS_EXPORTER",
                "prometheus",
                "OTEL_LOGS_EXPORTER",
                "console"));

    Optional<Telemetry> started =
        Telemetry.start(settings, Map.of(), InstantSource.system(), InstantSource.system());

    assertThat(started).isPresent();
    started.ifPresent(on -> on.tracing().close());
  }

  @Test
  void start_valueThatTheSdkRefuses_leavesItOff() {
    TracingSettings settings =
        TracingSettings.of(Map.of(ENDPOINT, HERE, "OTEL_TRACES_SAMPLER", "sometimes"));

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
                "https://collector:4318/x?key=secret",
                "OTEL_EXPORTER_OTLP_HEADERS",
                "authorization=secret"));

    assertThat(settings.host()).isEqualTo("collector:4318");
    assertThat(settings.toString()).doesNotContain("secret");
  }
}
