package io.poolkeeper.simulation;

import io.poolkeeper.simulation.Run.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Many runs, one for each seed from the first on, on as many threads as the machine has. Every
 * {@value #TWICE}th is made twice and must go the same way.
 */
public final class Simulation {
  private static final int TWICE = 20;

  /** More are of no use to whoever has to read them. */
  private static final int MOST_VIOLATIONS = 10;

  private static final long PROGRESS = 500;

  private Simulation() {}

  /**
   * What is to be simulated.
   *
   * @param from the first seed; it may be negative
   * @param seeds how many, at least 1
   * @param length of the part of a run in which anything may go wrong
   */
  public record Options(long from, long seeds, Duration length) {}

  /**
   * Runs them all, or until {@value #MOST_VIOLATIONS} have failed.
   *
   * @param nanos monotonic, to say how long it took
   * @param progress a line now and then
   */
  public static SimulationReport run(Options options, LongSupplier nanos, Consumer<String> progress)
      throws InterruptedException {
    long began = nanos.getAsLong();
    Tally tally = new Tally(options);
    int threads = Runtime.getRuntime().availableProcessors();
    try (ExecutorService workers = Executors.newFixedThreadPool(threads)) {
      List<Future<Result>> running = new ArrayList<>();
      for (long number = 0; number < options.seeds() && !tally.full(); number++) {
        long seed = options.from() + number;
        boolean twice = number % TWICE == 0;
        running.add(workers.submit(() -> one(seed, options.length(), twice)));
        if (running.size() >= 2 * threads || number == options.seeds() - 1) {
          tally.add(running.removeFirst().get());
        }
        if (number > 0 && number % PROGRESS == 0) {
          progress.accept("%d seeds, %d failed".formatted(number, tally.violations.size()));
        }
      }
      for (Future<Result> left : running) {
        tally.add(left.get());
      }
    } catch (ExecutionException failed) {
      throw new IllegalStateException("a run ended without a result", failed.getCause());
    }
    return tally.report((nanos.getAsLong() - began) / 1_000_000);
  }

  /** One run, of which every event is told. */
  public static SimulationReport trace(
      long seed, Duration length, LongSupplier nanos, Consumer<String> out) {
    long began = nanos.getAsLong();
    Tally tally = new Tally(new Options(seed, 1, length));
    tally.add(Run.of(seed, length, out));
    return tally.report((nanos.getAsLong() - began) / 1_000_000);
  }

  private static Result one(long seed, Duration length, boolean twice) {
    Result first = Run.of(seed, length, line -> {});
    if (!twice || first.violation().isPresent()) {
      return first;
    }
    Result second = Run.of(seed, length, line -> {});
    boolean same = first.draws() == second.draws() && first.hash() == second.hash();
    return same
        ? first
        : second.broken(
            "not the same run twice: %d and %d random values, traces %s"
                .formatted(
                    first.draws(),
                    second.draws(),
                    first.hash() == second.hash() ? "equal" : "different"));
  }

  /** The sum of the runs so far. */
  private static final class Tally {
    private final Options options;
    private final List<SimulationReport.Violation> violations = new ArrayList<>();
    private final Map<String, Integer> sometimes = new TreeMap<>();
    private Duration simulated = Duration.ZERO;
    private long seeds;

    Tally(Options options) {
      this.options = options;
    }

    boolean full() {
      return violations.size() >= MOST_VIOLATIONS;
    }

    void add(Result result) {
      seeds++;
      simulated = simulated.plus(result.simulated());
      result.marks().keySet().forEach(mark -> sometimes.merge(mark.title(), 1, Integer::sum));
      result
          .violation()
          .ifPresent(
              rule ->
                  violations.add(
                      new SimulationReport.Violation(
                          Long.toString(result.seed()),
                          rule,
                          result.swarm().toString(),
                          result.tail(),
                          "./poolkeeper simulate --from %d --seeds 1 --hours %s --trace"
                              .formatted(result.seed(), hours(options.length())))));
    }

    SimulationReport report(long wallMillis) {
      return new SimulationReport(
          seeds,
          simulated.toMillis() / 3_600_000.0,
          violations,
          sometimes,
          SimulationReport.missed(seeds, sometimes),
          wallMillis);
    }

    private static String hours(Duration length) {
      double hours = length.toMillis() / 3_600_000.0;
      return hours == Math.rint(hours) ? Long.toString((long) hours) : Double.toString(hours);
    }
  }
}
