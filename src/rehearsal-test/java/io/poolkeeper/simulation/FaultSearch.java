package io.poolkeeper.simulation;

import java.time.Duration;
import java.util.Optional;

/** Runs seeds of a program until one breaks a rule; several threads may search at once. */
public interface FaultSearch {
  /**
   * A seed that broke a rule.
   *
   * @param seeds how many it took, itself included
   */
  record Found(int seeds, String rule) {}

  /** The first seed from a start on that breaks a rule; empty if none of so many does. */
  Optional<Found> from(long start, int most);

  /** In the program of the class loader that it is made in. */
  final class InProgram implements FaultSearch {
    private static final Duration HOUR = Duration.ofHours(1);

    private final Parts parts;

    /** Made by name in the class loader of a {@link Mutant}. */
    public InProgram() {
      this(Parts.PLAIN);
    }

    InProgram(Parts parts) {
      this.parts = parts;
    }

    @Override
    public Optional<Found> from(long start, int most) {
      try (SeededSystem system = new SeededSystem(parts)) {
        for (int seeds = 1; seeds <= most; seeds++) {
          Optional<String> rule = Run.of(system, start + seeds - 1, HOUR, line -> {}).violation();
          if (rule.isPresent()) {
            return Optional.of(new Found(seeds, rule.get()));
          }
        }
        return Optional.empty();
      }
    }
  }
}
