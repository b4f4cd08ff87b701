package io.poolkeeper.cli;

import java.io.PrintWriter;
import java.util.function.Consumer;

/**
 * Tells people what happens: on a terminal in one line that is written over, elsewhere a plain line
 * each.
 */
final class Progress implements Consumer<String> {
  private static final String ERASE = "\r\u001b[2K";

  private final PrintWriter out;
  private final boolean terminal;

  Progress(PrintWriter out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  @Override
  public void accept(String step) {
    if (terminal) {
      out.print(ERASE + step);
    } else {
      out.println(step);
    }
    out.flush();
  }

  /** A line that stays. */
  void line(String text) {
    out.println(terminal ? ERASE + text : text);
    out.flush();
  }

  void done() {
    if (terminal) {
      out.print(ERASE);
      out.flush();
    }
  }
}
