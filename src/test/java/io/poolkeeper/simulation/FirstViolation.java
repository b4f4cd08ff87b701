package io.poolkeeper.simulation;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongFunction;
import org.slf4j.LoggerFactory;

/**
 * The rule that the run of a seed breaks; empty if it breaks none. It is made by name in the class
 * loader of a {@link Mutant}.
 */
public final class FirstViolation implements LongFunction<Optional<String>> {
  private static final Duration HOUR = Duration.ofHours(1);

  /** A system belongs to its thread. */
  private final ThreadLocal<SeededSystem> system = ThreadLocal.withInitial(SeededSystem::new);

  /** Silent, as a broken controller has much to say. */
  public FirstViolation() {
    if (LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME) instanceof Logger root) {
      root.setLevel(Level.OFF);
    }
  }

  @Override
  public Optional<String> apply(long seed) {
    return Run.of(system.get(), seed, HOUR, line -> {}).violation();
  }
}
