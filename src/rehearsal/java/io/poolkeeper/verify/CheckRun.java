package io.poolkeeper.verify;

import io.poolkeeper.verify.Assumption.Finding;
import io.poolkeeper.verify.Assumption.Unseen;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Runs checks one after the other. Each waits until the one before has left nothing running, and
 * ends after {@link #LIMIT} as unknown.
 */
final class CheckRun {
  static final Duration LIMIT = Duration.ofMinutes(2);

  /** A check and what came of it. */
  record Result(Assumption check, Finding finding) {}

  private final Bench bench;
  private final Recorder recorder;
  private final Duration limit;

  CheckRun(Bench bench, Recorder recorder, Duration limit) {
    this.bench = bench;
    this.recorder = recorder;
    this.limit = limit;
  }

  static List<Assumption> checks(boolean quick) {
    List<Assumption> checks = new ArrayList<>(AnswerChecks.ALL);
    checks.addAll(WriteChecks.ALL);
    checks.addAll(EntryChecks.QUICK);
    if (!quick) {
      checks.add(checks.size() - 1, EntryChecks.MANY_ENTRIES);
    }
    checks.add(checks.size() - 1, AnswerChecks.ADAPTER);
    return checks;
  }

  /** Interrupted, it ends the check that runs. */
  List<Result> all(List<Assumption> checks, Consumer<Result> each) throws InterruptedException {
    List<Result> results = new ArrayList<>();
    for (Assumption check : checks) {
      recorder.during(check.id());
      Result result = new Result(check, one(check));
      results.add(result);
      each.accept(result);
    }
    recorder.during("scratch");
    return results;
  }

  private Finding one(Assumption check) throws InterruptedException {
    FutureTask<Finding> task =
        new FutureTask<>(
            () -> {
              bench.settle();
              return check.trial().run(bench);
            });
    Thread.ofVirtual().name("check-" + check.id()).start(task);
    try {
      return task.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException endless) {
      return Finding.unknown("no end after %d s".formatted(limit.toSeconds()));
    } catch (ExecutionException failed) {
      Throwable why = failed.getCause();
      return Finding.unknown(
          String.valueOf(why instanceof Unseen ? why.getMessage() : failed.getMessage()));
    } finally {
      task.cancel(true);
    }
  }
}
