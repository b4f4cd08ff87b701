package io.poolkeeper.lab.scenario;

import io.poolkeeper.lab.scenario.Blueprint.Spec;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** What a scenario may do besides changing the world: trouble ARM, wait, say what it is about. */
public interface Stage {
  World world();

  /** From the rehearsal's seed. */
  RandomGenerator random();

  /** The update interval that the controller runs on. */
  Duration interval();

  /** Tells people what happens now. */
  void say(String line);

  /** Where the scenario writes down what its trouble must lead to. */
  Ledger ledger();

  /** Puts a fault rule of the ARM simulator in force. */
  void trouble(String rule) throws InterruptedException;

  /** Lifts all fault rules. */
  void relent() throws InterruptedException;

  /** Lets time pass; ends early, by an exception, if the rehearsal is interrupted. */
  void pause(Duration time) throws InterruptedException;

  /** Waits until the Service has been told of as many retries as the ledger has by now. */
  void awaitRetries(Spec spec) throws InterruptedException;

  /** Waits until every pool is as it ought to be, or says that it took too long. */
  void converge() throws InterruptedException;

  /** Waits until Services were told of everything that has happened, retries to come included. */
  void settle() throws InterruptedException;

  /** Waits until no pool was written for an interval, so that the next change is the first. */
  void quiet() throws InterruptedException;
}
