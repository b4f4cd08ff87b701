package io.poolkeeper.lab;

import static io.poolkeeper.lab.Blueprint.nodeName;

import io.poolkeeper.lab.Blueprint.Spec;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Nodes go out of service and come back, by each of the three taints: one, several, all of a pool;
 * others cordon, revert, delete and replace. Nodes are chosen by what they are in.
 */
record DrainScenario(Stage stage) implements Play {
  /** Long enough for anything that would follow at once. */
  private static final Duration NOTHING = Duration.ofSeconds(2);

  @Override
  public void play() throws InterruptedException {
    eachTaint();
    several();
    wholePool();
    noSignals();
    otherWriters();
    deleted();
    replaced();
  }

  private void eachTaint() throws InterruptedException {
    int node = 0;
    for (Leaving taint : Leaving.values()) {
      stage.say("%s gets the taint %s".formatted(nodeName(node), taint.taint().getKey()));
      stage.taint(List.of(node), taint);
      stage.taint(List.of(node));
      node += 3;
    }
    stage.say("a second taint, and then one of the two, change nothing");
    stage.taint(List.of(node), Leaving.SHUTDOWN);
    stage.taint(List.of(node), Leaving.SHUTDOWN, Leaving.OUT_OF_SERVICE);
    stage.taint(List.of(node), Leaving.OUT_OF_SERVICE);
    stage.pause(NOTHING);
    stage.taint(List.of(node));
  }

  private void several() throws InterruptedException {
    stage.say("five nodes at once");
    stage.taint(List.of(1, 4, 7, 10, 13), Leaving.OUT_OF_SERVICE);
    stage.taint(List.of(1, 4, 7, 10, 13));
  }

  private void wholePool() throws InterruptedException {
    Spec spec = Blueprint.named("search");
    List<Integer> all = List.copyOf(stage.world.slice(spec, 0));
    stage.say("all nodes of search: every entry is Down, and nobody is reached any more");
    stage.taint(all, Leaving.SHUTDOWN);
    stage.say("media moves onto these nodes: it gets entries that are Down from the start");
    stage.world.setSlice(Blueprint.named("media"), 0, Set.copyOf(all));
    stage.converge();
    stage.taint(all);
  }

  private void noSignals() throws InterruptedException {
    stage.say("a cordon is no signal, nor is a taint of a node that has opted out");
    stage.nodes.cordon(14);
    stage.nodes.optOut(15);
    stage.pause(NOTHING);
  }

  private void otherWriters() throws InterruptedException {
    Spec spec = Blueprint.named("chat");
    int node = stage.world.first(spec);
    stage.say("an operator sets an entry to Up: left alone until its node leaves");
    stage.peer.set(spec, stage.world.ipv4(node), Optional.of("Up"));
    stage.pause(NOTHING);
    stage.taint(List.of(node), Leaving.OUT_OF_SERVICE);
    stage.say("another writer wipes the state, and says that it wrote");
    stage.ledger.signals.add(new Expectations.Signal(stage.nanos(), false));
    stage.peer.set(spec, stage.world.ipv4(node), Optional.empty());
    stage.peer.announce(spec);
    stage.converge();
    stage.taint(List.of(node));
  }

  private void deleted() throws InterruptedException {
    int node = stage.world.first(Blueprint.named("push"));
    stage.say(
        "%s leaves and is deleted: no write, until its endpoints are gone"
            .formatted(nodeName(node)));
    stage.taint(List.of(node), Leaving.SHUTDOWN);
    stage.nodes.delete(node);
    stage.pause(NOTHING);
    for (Spec spec : stage.world.services) {
      for (int slice = 0; slice < spec.slices(); slice++) {
        Set<Integer> nodes = stage.world.slice(spec, slice);
        if (nodes.remove(node)) {
          stage.world.setSlice(spec, slice, nodes);
        }
      }
    }
    stage.converge();
  }

  private void replaced() throws InterruptedException {
    int node = stage.world.first(Blueprint.named("feed"));
    stage.say(
        "%s leaves and is replaced under its name: it begins clean".formatted(nodeName(node)));
    stage.taint(List.of(node), Leaving.OUT_OF_SERVICE);
    stage.nodes.replace(node);
    stage.convergeAndReport();
  }
}
