package io.poolkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;
import org.slf4j.event.KeyValuePair;

/** The shipped logback.xml in a separate logger context. */
class LogFormatTest {
  private static final Instant NOW = Instant.parse("2026-11-21T10:00:20.5Z");

  private static LoggerContext configured(Map<String, String> properties) throws Exception {
    var context = new LoggerContext();
    context.setMDCAdapter(MDC.getMDCAdapter());
    properties.forEach(context::putProperty);
    var configurator = new JoranConfigurator();
    configurator.setContext(context);
    configurator.doConfigure(Path.of("src/main/resources/logback.xml").toFile());
    return context;
  }

  private static String line(LoggerContext context, String message, Object... arguments) {
    return line(context, message, List.of(), arguments);
  }

  private static String line(
      LoggerContext context, String message, List<KeyValuePair> pairs, Object... arguments) {
    return line(context.getLogger("io.poolkeeper.pool.PoolActor"), message, pairs, arguments);
  }

  private static String line(
      Logger logger, String message, List<KeyValuePair> pairs, Object... arguments) {
    var event = new LoggingEvent("", logger, Level.INFO, message, null, arguments);
    event.setInstant(NOW);
    event.setKeyValuePairs(pairs);
    var appender =
        (ConsoleAppender<ILoggingEvent>)
            logger.getLoggerContext().getLogger(Logger.ROOT_LOGGER_NAME).getAppender("stderr");
    assertThat(appender.getTarget()).isEqualTo("System.err");
    return new String(appender.getEncoder().encode(event), StandardCharsets.UTF_8);
  }

  @Test
  void line_isKeysAndValues() throws Exception {
    var context = configured(Map.of());

    assertThat(line(context, "pool=lb-1/web added=3", List.of()))
        .isEqualTo(
            "time=2026-11-21T10:00:20.500Z level=INFO logger=PoolActor pool=lb-1/web added=3\n");
    assertThat(line(context, "written", List.of(new KeyValuePair("pool", "lb-1/web"))))
        .endsWith(" logger=PoolActor written pool=\"lb-1/web\"\n");
  }

  @Test
  void line_valueWithQuotesAndControls_canNeitherEndItsQuotesNorTheLine() throws Exception {
    var text =
        line(
            configured(Map.of()),
            "error=\"{}\" node={}",
            "a\" b\\\r\n\u001b[1m\u202e",
            "n🚀\uDB40\uDC41\nlevel=ERROR");

    assertThat(text)
        .endsWith(
            " error=\"a\\\" b\\\\\\r\\n\\u001b[1m\\u202e\" node=\"n🚀\\udb40\\udc41\\nlevel=ERROR\"\n")
        .hasLineCount(1);
  }

  @Test
  void line_valueThatIsNotOnePlainWord_isOneFieldAllTheSame() throws Exception {
    var context = configured(Map.of());

    assertThat(line(context, "node={} why={} took={}ms", "n1 level=ERROR", "", 3))
        .endsWith(" node=\"n1 level=ERROR\" why=\"\" took=3ms\n");
    assertThat(line(context, "pool={} by={}", "lb/web", "a\"b"))
        .endsWith(" pool=lb/web by=\"a\\\"b\"\n");
    assertThat(line(context, "why=\"it cannot be read: {}\" pool={}", "\" pool=x", "lb/web"))
        .endsWith(" why=\"it cannot be read: \\\" pool=x\" pool=lb/web\n");
  }

  @Test
  void line_ofALibrary_isOneField() throws Exception {
    var logger = configured(Map.of()).getLogger("org.apache.pekko.http.Server");

    assertThat(line(logger, "Illegal request {} level=ERROR", List.of(), "a\" pool=x"))
        .endsWith(" logger=Server message=\"Illegal request a\\\" pool=x level=ERROR\"\n");
  }

  @Test
  void line_ofALibraryThatSaysMuch_isCut() throws Exception {
    var logger = configured(Map.of()).getLogger("org.apache.pekko.http.Server");

    String text = "x".repeat(1_000_000);
    assertThat(line(logger, text, List.of())).hasSizeBetween(2_000, 2_200);
    var stack = line(configured(Map.of()), "actor=failed", new IOException(text)).lines();
    assertThat(stack).allSatisfy(line -> assertThat(line).hasSizeLessThan(2_200));
    var json = configured(Map.of("POOLKEEPER_LOG_FORMAT", "json"));
    assertThat(line(json, text, new IOException(text))).hasSizeBetween(20_000, 40_000);
  }

  @Test
  void trace_messageWithBreaks_isIndentedThroughout() throws Exception {
    var failure = new IllegalStateException("a\ntime=forged", new IOException("b\rtime=forged"));

    var lines = line(configured(Map.of()), "actor=failed", failure).lines().toList();

    assertThat(lines.getFirst()).endsWith(" actor=failed");
    assertThat(lines).contains("\ttime=forged");
    assertThat(lines.subList(1, lines.size())).allMatch(line -> line.startsWith("\t"));
  }

  @Test
  void line_ofATrace_endsWithItsId() throws Exception {
    MDC.put("trace_id", "0af7651916cd43dd8448eb211c80319c");
    try {
      assertThat(line(configured(Map.of()), "pool=lb-1/web added=3", List.of()))
          .endsWith(" pool=lb-1/web added=3 trace_id=0af7651916cd43dd8448eb211c80319c\n");
      String json =
          line(configured(Map.of("POOLKEEPER_LOG_FORMAT", "json")), "pool=lb-1/web", List.of());
      assertThat(new ObjectMapper().readTree(json).path("trace_id").asText())
          .isEqualTo("0af7651916cd43dd8448eb211c80319c");
    } finally {
      MDC.remove("trace_id");
    }
  }

  @Test
  void json_isOneObjectWithTheMessageAsItIs() throws Exception {
    var context = configured(Map.of("POOLKEEPER_LOG_FORMAT", "json"));

    var text = line(context, "error=\"{}\"", "a\"\nb", new IOException("c\nd"));

    assertThat(text).hasLineCount(1).endsWith("\n");
    var json = new ObjectMapper().readTree(text);
    assertThat(json.path("level").asText()).isEqualTo("INFO");
    assertThat(json.path("loggerName").asText()).isEqualTo("io.poolkeeper.pool.PoolActor");
    assertThat(json.path("timestamp").asLong()).isEqualTo(NOW.toEpochMilli());
    assertThat(json.path("formattedMessage").asText()).isEqualTo("error=\"a\"\nb\"");
    assertThat(json.path("throwable").path("message").asText()).isEqualTo("c\nd");
    assertThat(json.has("trace_id") || json.has("mdc")).as("without a trace").isFalse();
  }

  @Test
  void levels_librariesWarnAndOursFollowTheEnvironment() throws Exception {
    var plain = configured(Map.of());
    var debug = configured(Map.of("POOLKEEPER_LOG_LEVEL", "DEBUG"));

    assertThat(plain.getLogger("io.poolkeeper").getLevel()).isEqualTo(Level.INFO);
    assertThat(debug.getLogger("io.poolkeeper").getLevel()).isEqualTo(Level.DEBUG);
    assertThat(
            List.of("io.netty.x", "com.azure.x", "io.fabric8.x", "reactor.x", "org.apache.pekko.x"))
        .allSatisfy(
            name -> assertThat(debug.getLogger(name).getEffectiveLevel()).isEqualTo(Level.WARN));
  }
}
