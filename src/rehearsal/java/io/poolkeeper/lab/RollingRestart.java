package io.poolkeeper.lab;

import io.poolkeeper.lab.Blueprint.Spec;
import java.time.Duration;
import java.util.NavigableSet;

/**
 * Every Service is restarted: one endpoint after another moves to a free node. The first step of
 * each pool follows a quiet interval; the others fall inside one.
 */
record RollingRestart(Stage stage) implements Play {
  private static final int STEPS = 3;
  private static final Duration BETWEEN_STEPS = Duration.ofMillis(150);

  @Override
  public void play() throws InterruptedException {
    stage.say("rolling restart: " + STEPS + " steps for each of the Services");
    steps();
    stage.say(
        "the last steps of a Service come soon after a write, and are written a little later");
    stage.converge();
    stage.say("and once more after a quiet interval, one step each");
    stage.quiet();
    for (Spec spec : Blueprint.SERVICES) {
      moveOne(spec);
      stage.pause(BETWEEN_STEPS);
    }
    stage.converge();
  }

  /** All steps of one Service after the other. */
  void steps() throws InterruptedException {
    for (Spec spec : Blueprint.SERVICES) {
      for (int step = 0; step < STEPS; step++) {
        moveOne(spec);
        stage.pause(BETWEEN_STEPS);
      }
    }
  }

  private void moveOne(Spec spec) {
    int slice = stage.random.nextInt(spec.slices());
    NavigableSet<Integer> nodes = stage.world.slice(spec, slice);
    int free = stage.random.nextInt(Blueprint.NODES);
    while (nodes.contains(free)) {
      free = (free + 1) % Blueprint.NODES;
    }
    nodes.pollFirst();
    nodes.add(free);
    stage.world.setSlice(spec, slice, nodes);
  }
}
