package io.poolkeeper.lab;

import java.time.Duration;
import java.util.function.Consumer;

/** Who follows a rehearsal: gets a line for each thing that happens. */
@FunctionalInterface
public interface Audience extends Consumer<String> {
  /**
   * How far the rehearsal is; comes several times a second.
   *
   * @param done parts of the scenario
   * @param of parts that it has
   */
  default void progress(int done, int of, Duration elapsed) {}
}
