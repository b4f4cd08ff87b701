package io.poolkeeper.cli;

import java.util.Map;
import java.util.concurrent.Callable;

/**
 * A command in the lab's jar. Rooms that do not ship with the controller declare theirs in {@code
 * META-INF/services}; the command line lists them in that order.
 */
public interface CommandProvider {
  /** The command, with picocli's annotations; its result is the exit code. */
  Callable<Integer> command(Map<String, String> env);
}
