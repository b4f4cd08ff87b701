package io.poolkeeper.lab.scenario;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** What a scenario may do besides changing the world: wait, and say what it is about. */
public interface Stage {
  World world();

  /** From the rehearsal's seed. */
  RandomGenerator random();

  /** The update interval that the controller runs on. */
  Duration interval();

  /** Tells people what happens now. */
  void say(String line);

  /** Lets time pass; ends early, by an exception, if the rehearsal is interrupted. */
  void pause(Duration time) throws InterruptedException;

  /** Waits until every pool is as it ought to be, or says that it took too long. */
  void converge() throws InterruptedException;

  /** Waits until no pool was written for an interval, so that the next change is the first. */
  void quiet() throws InterruptedException;
}
