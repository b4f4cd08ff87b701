package io.poolkeeper;

import io.poolkeeper.cli.Cli;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** Command line entry. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    // Digits and separators are the same everywhere: a header or a log with others is read by none.
    Locale.setDefault(Locale.ROOT);
    var out = new PrintWriter(System.out, true, System.out.charset());
    var err = new PrintWriter(System.err, true, System.err.charset());
    System.exit(Cli.run(List.of(args), out, err, System.getenv()));
  }
}
