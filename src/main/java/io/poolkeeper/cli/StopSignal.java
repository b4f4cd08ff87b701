package io.poolkeeper.cli;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What SIGTERM and Ctrl-C do while a command is at work: its thread is interrupted, and the process
 * ends when the command has put its things in order and closed this, at most 9 s later. An orderly
 * stop is a success, where the JVM would leave with the signal's number. A command that ends by
 * itself closes this first and is not affected.
 */
public final class StopSignal implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(StopSignal.class);
  private static final Duration GRACE = Duration.ofSeconds(9);

  private final Thread command;
  private final Thread hook = new Thread(this::stop, "stop");
  private final CountDownLatch inOrder = new CountDownLatch(1);
  private volatile boolean given;
  private volatile int exitCode;

  private StopSignal(Thread command) {
    this.command = command;
  }

  /** Interrupts the calling thread when the signal comes. */
  public static StopSignal here() {
    StopSignal signal = new StopSignal(Thread.currentThread());
    Runtime.getRuntime().addShutdownHook(signal.hook);
    return signal;
  }

  /** Whether it was given: what failed since then failed because of it. */
  public boolean given() {
    return given;
  }

  /** The exit code after the signal; 0 unless something else is said. */
  public void exitCode(int code) {
    exitCode = code;
  }

  /** The JVM ends with this thread, so that it has to wait here for the other one. */
  private void stop() {
    given = true;
    command.interrupt();
    try {
      if (inOrder.await(GRACE.toSeconds(), TimeUnit.SECONDS)) {
        Runtime.getRuntime().halt(exitCode);
      }
    } catch (InterruptedException impossible) {
      Thread.currentThread().interrupt(); // nobody knows this thread
    }
    log.error("stop=incomplete after={}s", GRACE.toSeconds());
    Runtime.getRuntime().halt(1);
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException stopping) {
      inOrder.countDown();
    }
  }
}
