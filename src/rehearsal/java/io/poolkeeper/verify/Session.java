package io.poolkeeper.verify;

import io.poolkeeper.verify.Scratch.Refused;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * The life of the scratch resources: made before the checks, deleted after them, whatever happens.
 *
 * @param clean the command that deletes what is left
 * @param pause before a deletion that has failed is tried again
 * @param say prints a line
 */
record Session(Place place, Scratch scratch, String clean, Duration pause, Consumer<String> say) {
  /** After the checks; a load balancer goes in seconds, a network in a minute. */
  private static final Duration USUAL = Duration.ofMinutes(5);

  private static final Duration MAKING = Duration.ofMinutes(5);
  private static final Duration INTERRUPTED = Duration.ofSeconds(60);

  /** What is done with the resources. */
  interface Work {
    VerifyReport done() throws InterruptedException;
  }

  /** Interrupted, it deletes first, and then ends with the interruption. */
  VerifyReport run(Work work) throws InterruptedException {
    say.accept("run %s in %s: %s".formatted(place.run(), place.location(), place.balancerName()));
    FutureTask<Boolean> making = started(() -> scratch.make(place));
    boolean tidy = false;
    try {
      ended(making, MAKING);
      VerifyReport report = work.done();
      tidy = true;
      return report.tidied(delete(making, USUAL));
    } catch (InterruptedException stopped) {
      tidy = true;
      interrupted(making);
      throw stopped;
    } catch (TimeoutException endless) {
      throw new Refused("the resources were not made in " + MAKING.toSeconds() + " s", false);
    } finally {
      if (!tidy) {
        deleteAnyway(making);
      }
    }
  }

  private void interrupted(FutureTask<Boolean> making) throws InterruptedException {
    say.accept("Interrupted: deletes what it made, for up to 60 s. What stays then goes with");
    say.accept("  " + clean);
    delete(making, INTERRUPTED);
  }

  private void deleteAnyway(FutureTask<Boolean> making) throws InterruptedException {
    try {
      delete(making, USUAL);
    } catch (InterruptedException stopped) {
      interrupted(making);
      throw stopped;
    }
  }

  /** Whether all of it is gone. */
  private boolean delete(FutureTask<Boolean> making, Duration most) throws InterruptedException {
    FutureTask<Boolean> deleting =
        started(
            () -> {
              made(making);
              deleted();
            });
    String left;
    try {
      ended(deleting, most);
      say.accept("run %s: deleted".formatted(place.run()));
      return true;
    } catch (TimeoutException late) {
      left = "no end after %d s".formatted(most.toSeconds());
    } catch (RuntimeException refused) {
      left = String.valueOf(refused.getMessage());
    }
    say.accept("run %s is not deleted: %s. Try again:".formatted(place.run(), left));
    say.accept("  " + clean);
    return false;
  }

  /** What has failed for a reason that may pass is tried again, for as long as somebody waits. */
  private void deleted() {
    while (true) {
      try {
        scratch.delete(place);
        return;
      } catch (Refused refused) {
        if (!refused.passing()) {
          throw refused;
        }
        new CompletableFuture<Boolean>()
            .completeOnTimeout(true, pause.toMillis(), TimeUnit.MILLISECONDS)
            .join();
      } catch (InterruptedException stopped) {
        throw new IllegalStateException(stopped);
      }
    }
  }

  /** What is still being made cannot be deleted yet. */
  private static void made(FutureTask<Boolean> making) {
    try {
      making.get();
    } catch (ExecutionException failed) {
      // Some of it may be there.
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /** On a thread of its own, as an interruption must not end a call of the library half-way. */
  private static FutureTask<Boolean> started(Runnable work) {
    FutureTask<Boolean> task = new FutureTask<>(work, true);
    Thread.ofPlatform().daemon().name("scratch").start(task);
    return task;
  }

  private static void ended(FutureTask<Boolean> task, Duration most)
      throws InterruptedException, TimeoutException {
    try {
      task.get(most.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof RuntimeException why) {
        throw why;
      }
      throw new IllegalStateException(failed.getCause());
    }
  }
}
