package io.poolkeeper.simulation;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.poolkeeper.cli.CliCommand;
import io.poolkeeper.cli.CommandProvider;
import io.poolkeeper.cli.OptionCheck;
import io.poolkeeper.cli.ReportFile;
import io.poolkeeper.cli.ReportOption;
import io.poolkeeper.process.Entropy;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.LongSupplier;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code poolkeeper simulate}: the fault simulator; exit code 0 only if no run broke a rule. */
@Command(
    name = "simulate",
    description = {
      "Simulates hours of a cluster and its faults in virtual time, from seeds.",
      "It runs this very controller and checks that nothing is lost or stuck."
    },
    footer = {
      "",
      "Example:",
      "  poolkeeper simulate --seeds 500",
      "  poolkeeper simulate --from 42 --seeds 1 --trace"
    })
final class SimulateCommand extends CliCommand implements Callable<Integer> {
  private static final long MOST_SEEDS = 100_000_000;
  private static final double MOST_HOURS = 1_000;
  private static final double LEAST_HOURS = 0.01;
  private static final double MILLIS = 3_600_000;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      defaultValue = "100",
      description = "How many runs. Default: 100.")
  private long seeds;

  @Option(
      names = "--from",
      paramLabel = "SEED",
      defaultValue = "1",
      description = "The first seed, a 64-bit number; the others follow. Default: 1.")
  private long from;

  @Option(
      names = "--hours",
      paramLabel = "H",
      defaultValue = "1",
      description = "Virtual hours of faults per run, 0.01 to 1000. Default: 1.")
  private double hours;

  @Option(names = "--trace", description = "Prints every event of the run; with --seeds 1 only.")
  private boolean trace;

  @Mixin private final ReportOption report = new ReportOption();

  @Mixin private final OptionCheck check = new OptionCheck();

  private SimulateCommand() {}

  /** Found by the command line. */
  public static final class Provider implements CommandProvider {
    @Override
    public Callable<Integer> command(Map<String, String> env) {
      return new SimulateCommand();
    }
  }

  @Override
  public Integer call() throws InterruptedException {
    check();
    Optional<ReportFile> file = report.open();
    quieten();
    Duration length = Duration.ofMillis(Math.round(hours * MILLIS));
    LongSupplier nanos = Entropy.system().monotonicNanos();
    SimulationReport result =
        trace
            ? Simulation.trace(from, length, nanos, out()::println)
            : Simulation.run(new Simulation.Options(from, seeds, length), nanos, this::say);
    result.table().forEach(out()::println);
    out().flush();
    file.ifPresent(to -> to.write(result.json()));
    return result.passed() ? 0 : 1;
  }

  /** Hides the adapter's warnings about answers that are wrong on purpose. */
  private static void quieten() {
    if (LoggerFactory.getLogger("io.poolkeeper.arm.azure") instanceof Logger logger) {
      logger.setLevel(Level.OFF);
    }
  }

  private void check() {
    if (seeds < 1 || seeds > MOST_SEEDS) {
      throw check.wrong("--seeds", Long.toString(seeds), "1 to " + MOST_SEEDS);
    }
    if (!(hours >= LEAST_HOURS && hours <= MOST_HOURS)) {
      throw check.wrong("--hours", Double.toString(hours), "0.01 to 1000");
    }
    if (from > Long.MAX_VALUE - seeds) {
      throw check.wrong("--from", Long.toString(from), "at most " + (Long.MAX_VALUE - seeds));
    }
    if (trace && seeds != 1) {
      throw check.refused("--trace: allowed with --seeds 1 only");
    }
  }
}
