package io.poolkeeper.trace;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.resources.Resource;
import io.poolkeeper.model.Truncated;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.slf4j.LoggerFactory;

/**
 * OpenTelemetry's SDK, started. Nothing else refers to it, so that none of its classes is loaded
 * while tracing is off. It keeps at most 2,048 finished spans that are not sent, and drops further
 * ones.
 */
public record Telemetry(OpenTelemetry api, Tracing tracing) {
  private static final org.slf4j.Logger log = LoggerFactory.getLogger(Telemetry.class);

  /** Of the SDK; referred to, or the JDK would forget where its messages go. */
  private static final Logger SDK = Logger.getLogger("io.opentelemetry");

  /** Of what the SDK says, which may be a collector's words; in characters. */
  private static final int LONGEST = 500;

  /** How long the last spans may take at the end, in seconds. */
  private static final int FLUSH = 2;

  /**
   * Starts it; empty if the settings are wrong. That is logged and keeps nobody from running: the
   * variables may come from an operator that injects them everywhere.
   *
   * @param attributes of the process, which the standard variables may overwrite
   */
  static Optional<Telemetry> start(
      TracingSettings settings,
      Map<String, String> attributes,
      InstantSource wall,
      InstantSource monotonic) {
    if (!settings.problems().isEmpty()) {
      settings.problems().forEach(problem -> log.warn("tracing=off why=\"{}\"", problem));
      return Optional.empty();
    }
    if (SDK.getUseParentHandlers()) {
      SDK.setUseParentHandlers(false);
      SDK.addHandler(new Messages());
    }
    try {
      OpenTelemetrySdk sdk = sdk(settings, attributes);
      log.info("tracing=on host={}", settings.host());
      return Optional.of(
          new Telemetry(
              sdk,
              new OpenTelemetryTracing(
                  sdk, wall, monotonic, () -> sdk.shutdown().join(FLUSH, TimeUnit.SECONDS))));
    } catch (RuntimeException wrong) {
      log.warn("tracing=off why=\"{}\"", why(wrong));
      return Optional.empty();
    }
  }

  /** With the cause, which alone may name the value. */
  private static String why(Throwable wrong) {
    String cause = wrong.getCause() == null ? "" : ": " + wrong.getCause().getMessage();
    return Truncated.middle(LONGEST, wrong.getMessage() + cause);
  }

  private static OpenTelemetrySdk sdk(TracingSettings settings, Map<String, String> attributes) {
    AttributesBuilder ours = Attributes.builder();
    attributes.forEach(ours::put);
    return AutoConfiguredOpenTelemetrySdk.builder()
        .addPropertiesSupplier(settings::properties)
        .addPropertiesCustomizer(properties -> TracingSettings.FIXED)
        .addResourceCustomizer((given, properties) -> Resource.create(ours.build()).merge(given))
        .disableShutdownHook()
        .build()
        .getOpenTelemetrySdk();
  }

  /**
   * What the SDK says, as lines of our log. A collector that does not answer is a warning without a
   * stack; the SDK repeats it once a minute.
   */
  private static final class Messages extends Handler {
    @Override
    public void publish(LogRecord message) {
      if (message.getLevel().intValue() >= Level.WARNING.intValue()) {
        String why = message.getThrown() == null ? "" : " " + message.getThrown();
        log.warn(
            "tracing=failing why=\"{}\"", Truncated.middle(LONGEST, message.getMessage() + why));
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
