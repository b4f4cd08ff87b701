package io.poolkeeper.lab;

import io.poolkeeper.lab.Blueprint.Spec;
import java.util.Set;

/**
 * All Services change at once, many times; meanwhile slices split and vanish, a Service scales to
 * zero and back, a node gets another address and another is excluded.
 */
record Burst(Stage stage) implements Play {
  private static final int ROUNDS = 10;
  private static final int SPLIT = 9;

  @Override
  public void play() throws InterruptedException {
    World world = stage.world;
    stage.quiet();
    stage.say("burst: all Services change " + ROUNDS + " times without a pause");
    for (int round = 0; round < ROUNDS; round++) {
      for (Spec spec : Blueprint.SERVICES) {
        int slice = stage.random.nextInt(spec.slices());
        int first = stage.random.nextInt(Blueprint.NODES);
        world.setSlice(spec, slice, World.window(first, 2 + stage.random.nextInt(6)));
      }
    }
    Spec cart = Blueprint.named("cart");
    stage.say("a slice of cart splits, another of its slices vanishes");
    world.setSlice(cart, SPLIT, Set.of(1, 2));
    world.deleteSlice(cart, 1);
    Spec feed = Blueprint.named("feed");
    stage.say("feed scales to zero");
    world.setSlice(feed, 0, Set.of());
    stage.say("a node gets another address, another is excluded from load balancers");
    world.readdress(2, "10.240.1.2");
    world.exclude(5, true);
    stage.converge();
    stage.say("everything is reverted");
    world.setSlice(feed, 0, World.window(3, 5));
    world.setSlice(cart, 1, World.window(8, 3));
    world.deleteSlice(cart, SPLIT);
    world.readdress(2, Blueprint.ipv4(2));
    world.exclude(5, false);
    stage.converge();
  }
}
