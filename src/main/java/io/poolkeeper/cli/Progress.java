package io.poolkeeper.cli;

import java.io.PrintWriter;
import java.util.function.Consumer;

/**
 * Tells people what happens: on a terminal in one line that is written over until the end,
 * elsewhere a plain line each. On a terminal a step must not be longer than a line, or it could not
 * be written over; it is cut.
 */
public final class Progress implements Consumer<String> {
  private static final String ERASE = "\r\u001b[2K";

  /** One less than the narrowest terminal in use. */
  private static final int MAX_WIDTH = 79;

  private final PrintWriter out;
  private boolean overwriting;
  private boolean shown;

  public Progress(PrintWriter out, boolean terminal) {
    this.out = out;
    this.overwriting = terminal;
  }

  @Override
  public void accept(String step) {
    if (overwriting) {
      String line = step.length() <= MAX_WIDTH ? step : step.substring(0, MAX_WIDTH - 3) + "...";
      out.print(ERASE + line);
      out.flush();
      shown = true;
    } else {
      line(step);
    }
  }

  /** A line that stays. */
  public void line(String text) {
    erase();
    out.println(text);
    out.flush();
  }

  /** From now on all lines stay. */
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
