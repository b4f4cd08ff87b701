package io.poolkeeper.lab;

import java.time.Duration;
import java.util.function.Consumer;

/** Who follows a rehearsal: gets a line for each thing that happens. */
@FunctionalInterface
public interface Audience extends Consumer<String> {
  /** How many parts of the scenario are done; comes several times a second. */
  default void progress(int done, int of, Duration elapsed) {}
}
