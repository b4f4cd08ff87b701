package io.poolkeeper.lab.scenario;

import io.poolkeeper.lab.scenario.Blueprint.Spec;
import java.time.Duration;
import java.util.Map;
import java.util.random.RandomGenerator;

/** The actions of a scenario besides changing the world: faults of ARM, waits, progress lines. */
public interface Stage {
  World world();

  /** Seeded by the rehearsal's seed. */
  RandomGenerator random();

  /** The controller's update interval. */
  Duration interval();

  /** Prints a progress line. */
  void say(String line);

  /** Records the retries that the scenario causes. */
  Ledger ledger();

  /** Adds a fault rule with these members to the ARM simulator. */
  void inject(Map<String, ?> members) throws InterruptedException;

  /** Removes all fault rules. */
  void clearFaults() throws InterruptedException;

  /** Waits; throws if the rehearsal is interrupted. */
  void pause(Duration time) throws InterruptedException;

  /** Waits until as many retries of the Service were reported as the ledger has. */
  void awaitRetries(Spec spec) throws InterruptedException;

  /** Waits until every pool is correct, or prints that it took too long. */
  void converge() throws InterruptedException;

  /** Waits until all writes, failures and expected retries have been reported. */
  void settle() throws InterruptedException;

  /**
   * Waits until no pool was written for an interval, so that the next change follows a quiet
   * interval.
   */
  void quiet() throws InterruptedException;
}
