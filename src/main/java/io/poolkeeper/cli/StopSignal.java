package io.poolkeeper.cli;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles SIGTERM and Ctrl-C during a command: its thread is interrupted, and the process ends when
 * the command has stopped everything and closed this, usually at most 9 s later. An orderly stop
 * exits with 0, not with the JVM's code for the signal. A command that ends by itself closes this
 * first.
 */
public final class StopSignal implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(StopSignal.class);
  private static final Duration GRACE = Duration.ofSeconds(9);

  private final Thread command;
  private final Duration grace;
  private final Thread hook = new Thread(this::stop, "stop");
  private final CountDownLatch inOrder = new CountDownLatch(1);
  private volatile boolean given;
  private volatile int exitCode;

  private StopSignal(Thread command, Duration grace) {
    this.command = command;
    this.grace = grace;
  }

  /** Interrupts the calling thread on the signal. */
  public static StopSignal here() {
    return here(GRACE);
  }

  /** The same, of a command that may take so long to stop. */
  public static StopSignal here(Duration grace) {
    StopSignal signal = new StopSignal(Thread.currentThread(), grace);
    Runtime.getRuntime().addShutdownHook(signal.hook);
    return signal;
  }

  /** Whether the signal came; later failures are its consequence. */
  public boolean given() {
    return given;
  }

  /** Sets the exit code after the signal; 0 by default. */
  public void exitCode(int code) {
    exitCode = code;
  }

  /** The JVM ends with this thread, so it waits for the command's thread. */
  private void stop() {
    given = true;
    command.interrupt();
    try {
      if (inOrder.await(grace.toSeconds(), TimeUnit.SECONDS)) {
        Runtime.getRuntime().halt(exitCode);
      }
    } catch (InterruptedException impossible) {
      Thread.currentThread().interrupt(); // no other code uses this thread
    }
    log.error("stop=incomplete after={}s", grace.toSeconds());
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
