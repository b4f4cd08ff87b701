package io.poolkeeper;

import io.poolkeeper.cli.Cli;
import java.io.PrintWriter;
import java.util.List;

/** Command line entry. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    var out = new PrintWriter(System.out, true, System.out.charset());
    var err = new PrintWriter(System.err, true, System.err.charset());
    System.exit(Cli.run(List.of(args), out, err, System.getenv()));
  }
}
