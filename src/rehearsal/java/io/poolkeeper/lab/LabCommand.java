package io.poolkeeper.lab;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.poolkeeper.armsim.LatencyProfile;
import io.poolkeeper.cli.CliCommand;
import io.poolkeeper.cli.CommandFailure;
import io.poolkeeper.cli.CommandProvider;
import io.poolkeeper.cli.DurationConverter;
import io.poolkeeper.cli.OptionCheck;
import io.poolkeeper.cli.Progress;
import io.poolkeeper.cli.ReportFile;
import io.poolkeeper.cli.ReportOption;
import io.poolkeeper.cli.StopSignal;
import io.poolkeeper.model.Range;
import io.poolkeeper.process.Entropy;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code poolkeeper lab}: a rehearsal in one process; exit code 0 only if every check passed. */
@Command(
    name = "lab",
    description = {
      "Rehearses on an embedded API server and an ARM simulator.",
      "The controller is this very one, over real HTTP and on the shipped defaults."
    },
    footer = {
      "",
      "Example:",
      "  poolkeeper lab rolling-restart --report report.json",
      "  poolkeeper lab --keep --no-controller"
    })
final class LabCommand extends CliCommand implements Callable<Integer> {
  /** From the minimum of the configuration. */
  private static final Range<Duration> INTERVAL =
      new Range<>(Duration.ofMillis(100), Duration.ofHours(1));

  private static final int MAX_KILLS = 10_000;

  private final Map<String, String> env;

  @Parameters(
      arity = "0..1",
      paramLabel = "SCENARIO",
      defaultValue = "tour",
      description = "What to rehearse; see --list. Default: tour.")
  @SuppressWarnings("NullAway.Init") // Has a default.
  private String scenario;

  @Option(names = "--list", description = "Lists the scenarios, one line each.")
  private boolean list;

  @Mixin private final ReportOption report = new ReportOption();

  @Mixin private final OptionCheck check = new OptionCheck();

  @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "Default: 1.")
  private long seed;

  @Option(
      names = "--interval",
      paramLabel = "D",
      converter = DurationConverter.class,
      description = "Update interval instead of the shipped one, such as 2s or 500ms.")
  private @Nullable Duration interval;

  @Option(
      names = "--profile",
      paramLabel = "fast|azure",
      defaultValue = "fast",
      description = "How long ARM takes. Default: fast, without any waiting.")
  @SuppressWarnings("NullAway.Init") // Has a default.
  private String profile;

  @Option(
      names = "--kills",
      paramLabel = "N",
      defaultValue = "30",
      description = "How often `crash` kills the controller. Default: 30.")
  private int kills;

  @Option(names = "--keep", description = "Leaves everything running until interrupted.")
  private boolean keep;

  @Option(
      names = "--no-controller",
      description = "Leaves the controller out and waits for a separate `poolkeeper run`.")
  private boolean noController;

  @Option(
      names = "--port",
      paramLabel = "P",
      defaultValue = "0",
      description = "Of the controller's HTTP API. Default: any.")
  private int port;

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description = "Rehearses on a real, disposable API server instead.")
  private @Nullable Path kubeconfig;

  private LabCommand(Map<String, String> env) {
    this.env = env;
  }

  /** Found by the command line. */
  public static final class Provider implements CommandProvider {
    @Override
    public Callable<Integer> command(Map<String, String> env) {
      return new LabCommand(env);
    }
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = out();
    if (list) {
      for (Scenario known : Scenario.values()) {
        out.printf("%-20s %s%n", known.title(), known.summary());
      }
      out.flush();
      return 0;
    }
    LabOptions options = options();
    Optional<ReportFile> file = report.open();
    quieten();
    boolean terminal = Progress.onTerminal();
    Progress progress = new Progress(out, terminal);
    Audience audience = terminal ? new Screen(progress::line, progress) : progress::accept;
    try (StopSignal signal = StopSignal.here()) {
      try (Lab lab = Lab.open(options, Entropy.system(), audience)) {
        return rehearse(lab, progress, file, signal);
      } catch (InterruptedException | RuntimeException failed) {
        if (!signal.given()) {
          throw failed;
        }
        return 0; // ignored: the signal decides
      }
    } catch (LabException | UncheckedIOException failed) {
      throw new CommandFailure(String.valueOf(failed.getMessage()), failed);
    } finally {
      progress.done();
    }
  }

  private int rehearse(Lab lab, Progress progress, Optional<ReportFile> file, StopSignal signal)
      throws IOException, InterruptedException {
    if (!noController) {
      lab.startController();
    }
    if (keep || noController) {
      lab.coordinates().forEach(progress::line);
    }
    LabReport result = lab.rehearse();
    progress.done();
    result.table().forEach(progress::line);
    int code = result.passed() ? 0 : 1;
    file.ifPresent(to -> to.write(result.json()));
    if (keep) {
      progress.line("  kept running; Ctrl-C ends it. Five faults to cause: docs/learn.md. First:");
      progress.line("  " + lab.environment());
      signal.exitCode(code);
      new CountDownLatch(1).await();
    }
    return code;
  }

  /**
   * Hides the controller's log unless a level is set: errors are caused on purpose, such as retries
   * and answers that the simulator cuts off.
   */
  private void quieten() {
    if (env.getOrDefault("POOLKEEPER_LOG_LEVEL", "").isBlank()) {
      level("io.poolkeeper", Level.ERROR);
      level("org.apache.pekko.actor.RepointableActorRef", Level.OFF);
      level("io.fabric8.kubernetes.client.server.mock", Level.ERROR);
    }
  }

  private static void level(String name, Level level) {
    if (LoggerFactory.getLogger(name) instanceof Logger logger) {
      logger.setLevel(level);
    }
  }

  private LabOptions options() {
    return new LabOptions(
        scenario(),
        seed,
        interval(),
        LatencyProfile.named(profile)
            .orElseThrow(() -> check.wrong("--profile", profile, "fast, azure")),
        !noController,
        check.inRange("--port", port, 0, OptionCheck.MAX_PORT),
        Optional.ofNullable(kubeconfig),
        check.inRange("--kills", kills, 1, MAX_KILLS));
  }

  private Scenario scenario() {
    List<String> titles = Arrays.stream(Scenario.values()).map(Scenario::title).toList();
    Scenario named =
        Scenario.named(scenario)
            .orElseThrow(() -> check.wrong("SCENARIO", scenario, String.join(", ", titles)));
    if (named.kills() && noController) {
      throw check.wrong(
          "--no-controller", scenario, "a scenario that does not kill the controller");
    }
    return named;
  }

  private Optional<Duration> interval() {
    if (interval != null && !INTERVAL.has(interval)) {
      throw check.wrongAsTyped("--interval", "100ms to 1h");
    }
    return Optional.ofNullable(interval);
  }

  /**
   * A rehearsal on a terminal: what happens stays, and below it a bar says how far it is.
   *
   * @param lasting prints a line that stays
   * @param passing prints a line over the one before
   */
  record Screen(Consumer<String> lasting, Consumer<String> passing) implements Audience {
    private static final int WIDTH = 30;

    @Override
    public void accept(String line) {
      lasting.accept(line);
    }

    @Override
    public void progress(int done, int of, Duration elapsed) {
      int full = WIDTH * done / Math.max(1, of);
      passing.accept(
          "[%s%s] %d s".formatted("#".repeat(full), "-".repeat(WIDTH - full), elapsed.toSeconds()));
    }
  }
}
