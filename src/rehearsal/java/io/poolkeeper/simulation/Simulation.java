package io.poolkeeper.simulation;

import io.poolkeeper.simulation.Run.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Many runs, one for each seed from the first on, on as many threads as the machine has. Every
 * {@value #TWICE}th is made twice and must go the same way.
 */
public final class Simulation {
  private static final int TWICE = 20;

  /** The simulation stops after so many. */
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
    AtomicLong next = new AtomicLong();
    AtomicInteger failed = new AtomicInteger();
    Queue<Result> results = new ConcurrentLinkedQueue<>();
    int threads = Runtime.getRuntime().availableProcessors();
    try (ExecutorService workers = Executors.newFixedThreadPool(threads)) {
      List<Future<?>> running = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        running.add(workers.submit(() -> work(options, next, failed, results::add, progress)));
      }
      for (Future<?> one : running) {
        one.get();
      }
    } catch (ExecutionException broken) {
      throw new IllegalStateException("a run ended without a result", broken.getCause());
    }
    Tally tally = new Tally(options);
    results.stream().sorted(Comparator.comparingLong(Result::seed)).forEach(tally::add);
    return tally.report((nanos.getAsLong() - began) / 1_000_000);
  }

  /** One thread's part: seed after seed in a system of its own. */
  private static void work(
      Options options,
      AtomicLong next,
      AtomicInteger failed,
      Consumer<Result> results,
      Consumer<String> progress) {
    try (SeededSystem system = new SeededSystem()) {
      long number = next.getAndIncrement();
      while (number < options.seeds() && failed.get() < MOST_VIOLATIONS) {
        Result result = one(system, options.from() + number, options.length(), number % TWICE == 0);
        results.accept(result);
        failed.addAndGet(result.violation().isPresent() ? 1 : 0);
        if (number > 0 && number % PROGRESS == 0) {
          progress.accept("%d seeds, %d failed".formatted(number, failed.get()));
        }
        number = next.getAndIncrement();
      }
    }
  }

  /** One run with every event of it. */
  public static SimulationReport trace(
      long seed, Duration length, LongSupplier nanos, Consumer<String> out) {
    long began = nanos.getAsLong();
    Tally tally = new Tally(new Options(seed, 1, length));
    try (SeededSystem system = new SeededSystem()) {
      tally.add(Run.of(system, seed, length, out));
    }
    return tally.report((nanos.getAsLong() - began) / 1_000_000);
  }

  private static Result one(SeededSystem system, long seed, Duration length, boolean twice) {
    Result first = Run.of(system, seed, length, line -> {});
    if (!twice || first.violation().isPresent()) {
      return first;
    }
    Result second = Run.of(system, seed, length, line -> {});
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
    private Figures figures = Figures.NONE;
    private long seeds;

    Tally(Options options) {
      this.options = options;
    }

    void add(Result result) {
      seeds++;
      simulated = simulated.plus(result.simulated());
      figures = figures.plus(result.figures());
      result.marks().keySet().forEach(mark -> sometimes.merge(mark.title(), 1, Integer::sum));
      result
          .violation()
          .ifPresent(
              rule ->
                  violations.add(
                      new SimulationReport.Violation(
                          Long.toString(result.seed()),
                          rule,
                          result.options().toString(),
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
          figures,
          wallMillis);
    }

    private static String hours(Duration length) {
      double hours = length.toMillis() / 3_600_000.0;
      return hours == Math.rint(hours) ? Long.toString((long) hours) : Double.toString(hours);
    }
  }
}
