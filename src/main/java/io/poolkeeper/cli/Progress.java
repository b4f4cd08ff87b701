package io.poolkeeper.cli;

import io.poolkeeper.console.DisplayWidth;
import java.io.PrintWriter;
import java.util.function.Consumer;

/**
 * Prints progress: on a terminal in one line that each step overwrites, elsewhere a line per step.
 * On a terminal a step is cut to one line, as a longer one could not be overwritten.
 */
public final class Progress implements Consumer<String> {
  private static final String ERASE = "\r\u001b[2K";

  /** One less than the narrowest terminal in use. */
  private static final int MAX_WIDTH = 79;

  /**
   * Set by the launcher if standard output is a terminal, which the JDK detects only from 22 on.
   */
  private static final String TERMINAL = "poolkeeper.terminal";

  private final PrintWriter out;
  private boolean overwriting;
  private boolean shown;

  public Progress(PrintWriter out, boolean terminal) {
    this.out = out;
    this.overwriting = terminal;
  }

  /** Whether standard output is a terminal. */
  public static boolean onTerminal() {
    return Boolean.getBoolean(TERMINAL);
  }

  @Override
  public void accept(String step) {
    if (overwriting) {
      out.print(ERASE + DisplayWidth.cut(step, MAX_WIDTH, "..."));
      out.flush();
      shown = true;
    } else {
      line(step);
    }
  }

  /** Prints a line that is not overwritten. */
  public void line(String text) {
    erase();
    out.println(text);
    out.flush();
  }

  /** From now on no line is overwritten. */
  public void done() {
    erase();
    out.flush();
    overwriting = false;
  }

  private void erase() {
    if (shown) {
      out.print(ERASE);
      shown = false;
    }
  }
}
