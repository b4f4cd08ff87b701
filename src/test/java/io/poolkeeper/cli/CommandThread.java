package io.poolkeeper.cli;

import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import org.slf4j.LoggerFactory;

/**
 * A command in a thread of this JVM, with its output. It is interrupted where a process would get
 * SIGTERM. What it logs counts as standard error, as in a process; log levels that it sets are
 * reset at the end.
 */
public final class CommandThread implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Logger ROOT = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);

  private final String name;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private final FutureTask<Integer> code;
  private final Thread thread;
  private final Map<Logger, Optional<Level>> levels = new HashMap<>();

  private CommandThread(List<String> line) {
    name = line.getFirst();
    code =
        new FutureTask<>(() -> Cli.run(line, new PrintWriter(out), new PrintWriter(err), Map.of()));
    thread = new Thread(code, name);
    for (Logger logger : ROOT.getLoggerContext().getLoggerList()) {
      levels.put(logger, Optional.ofNullable(logger.getLevel()));
    }
    log.start();
    ROOT.addAppender(log);
    thread.start();
  }

  public static CommandThread start(String... line) {
    return new CommandThread(List.of(line));
  }

  /** The rest of the first line of standard output with this beginning. */
  public String awaitOut(String beginning) {
    return await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> rest(beginning), found -> found.isPresent() || code.isDone())
        .orElseThrow(() -> new AssertionError("it has ended; err: " + err()));
  }

  private Optional<String> rest(String beginning) {
    return out().stream()
        .filter(line -> line.startsWith(beginning))
        .map(line -> line.substring(beginning.length()))
        .findFirst();
  }

  /** Asks it to stop; the exit code. */
  public int interrupt() {
    thread.interrupt();
    return exitCode();
  }

  /** Waits for its end. */
  public int exitCode() {
    await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(code::isDone);
    return code.resultNow();
  }

  public List<String> out() {
    return out.toString().lines().toList();
  }

  /** What it printed there, and what its own threads and actors logged. */
  public List<String> err() {
    List<String> lines = new ArrayList<>(err.toString().lines().toList());
    List.copyOf(log.list).stream()
        .filter(event -> event.getThreadName().startsWith(name))
        .forEach(event -> lines.add(event.toString()));
    return lines;
  }

  @Override
  public void close() {
    interrupt();
    ROOT.detachAppender(log);
    levels.forEach((logger, level) -> logger.setLevel(level.orElse(null)));
  }
}
