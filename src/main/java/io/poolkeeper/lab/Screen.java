package io.poolkeeper.lab;

import java.time.Duration;
import java.util.function.Consumer;

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
