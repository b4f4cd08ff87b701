package io.poolkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

/** The shipped logback.xml in a separate logger context. */
class LogFormatTest {
  private static LoggerContext configured(Map<String, String> properties) throws Exception {
    var context = new LoggerContext();
    properties.forEach(context::putProperty);
    var configurator = new JoranConfigurator();
    configurator.setContext(context);
    configurator.doConfigure(Path.of("src/main/resources/logback.xml").toFile());
    return context;
  }

  private static String line(LoggerContext context, String message, List<KeyValuePair> pairs) {
    var logger = context.getLogger("io.poolkeeper.pool.PoolActor");
    var event = new LoggingEvent("", logger, Level.INFO, message, null, new Object[0]);
    event.setInstant(Instant.parse("2026-11-21T10:00:20.5Z"));
    event.setKeyValuePairs(pairs);
    var appender =
        (ConsoleAppender<ILoggingEvent>)
            context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender("stderr");
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
  void line_withBreaksInTheMessage_staysOne() throws Exception {
    assertThat(line(configured(Map.of()), "a\r\nlevel=ERROR b", List.of()))
        .endsWith(" a | level=ERROR b\n")
        .hasLineCount(1);
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
