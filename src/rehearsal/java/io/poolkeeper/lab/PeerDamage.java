package io.poolkeeper.lab;

import io.poolkeeper.lab.Blueprint.Spec;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * The cloud provider's updater damages pools: two slices of a Service name a node, one of them
 * drops it, and up to an interval later the updater takes it out of the pool, under the shared
 * Lease. First it says so by its event, and then its events are lost and only looks by time remain.
 * Each pool is damaged once, as the third damage in a row would be repaired later.
 */
record PeerDamage(Stage stage) implements Play {
  private static final List<Spec> ALL = Blueprint.SERVICES;

  @Override
  public void play() throws InterruptedException {
    round(ALL.subList(0, 3), 10, true);
    round(ALL.subList(3, 6), 13, true);
    round(ALL.subList(6, ALL.size()), 16, false);
  }

  private void round(List<Spec> services, int node, boolean event) throws InterruptedException {
    services.forEach(spec -> share(spec, node));
    stage.converge();
    stage.quiet();
    services.forEach(spec -> drop(spec, node));
    long wait = stage.random.nextLong(stage.interval.toMillis());
    stage.pause(Duration.ofMillis(wait));
    stage.say(
        "the cloud provider takes a node that is still named out of %d pools %.1f s later%s"
            .formatted(services.size(), wait / 1e3, event ? "" : ", and its events are lost"));
    tick(services, node, event);
    stage.converge();
  }

  /** Under the shared Lease, so that no repair comes between the damages of a load balancer. */
  private void tick(List<Spec> services, int node, boolean event) throws InterruptedException {
    Peer.Work damage =
        peer -> {
          for (Spec spec : services) {
            stage.ledger.damages.add(new Expectations.Damage(stage.nanos(), spec.id(false), event));
            peer.remove(spec, stage.world.ipv4(node));
            if (event) {
              peer.announce(spec);
            }
          }
        };
    while (!stage.peer.underLease(damage)) {
      stage.pause(stage.interval);
    }
  }

  private void share(Spec spec, int node) {
    for (int slice : List.of(0, 1)) {
      Set<Integer> nodes = stage.world.slice(spec, slice);
      nodes.add(node);
      stage.world.setSlice(spec, slice, nodes);
    }
  }

  private void drop(Spec spec, int node) {
    Set<Integer> nodes = stage.world.slice(spec, 0);
    nodes.remove(node);
    stage.world.setSlice(spec, 0, nodes);
  }
}
