package io.poolkeeper.lab;

import io.poolkeeper.lab.Blueprint.Spec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * ARM takes 40 s for one write of one load balancer: at first its answer does not come, so that the
 * attempt fails and is retried; then it accepts a write whose operation runs on. Meanwhile Services
 * of the other load balancers change, and a node leaves.
 *
 * <p>The node is in no pool of the slow load balancer and in none that changes, so that a change
 * and a drain are never one write.
 */
record SlowWrite(Stage stage) implements Play {
  private static final long SLOW = 40_000;

  /** After the write has arrived at ARM. */
  private static final Duration LATER = Duration.ofSeconds(5);

  /** Until the changes wait in the queue. */
  private static final Duration QUEUED = Duration.ofSeconds(1);

  /** The node that leaves: it is in the pools of audit and of the cluster. */
  private static final int LEAVING = 14;

  /** A Service moves by fewer nodes than that. */
  private static final int FARTHEST = 4;

  @Override
  public void play() throws InterruptedException {
    stage.say("a write to LB-2 has no answer for 40 s");
    stage.ledger.refused(Blueprint.named("feed"), 1);
    beside("feed", Map.of("answerMillis", SLOW), List.of("search", "reports"));
    stage.say("a write to LB-2 is accepted and runs for 40 s");
    beside("push", Map.of("lro", "slow", "lroMillis", SLOW), List.of("media", "billing"));
  }

  private void beside(String slow, Map<String, ?> how, List<String> others)
      throws InterruptedException {
    stage.failNext(Blueprint.named(slow), 1, how);
    List<Change> first = moved(List.of(slow));
    stage.ledger.slow.addAll(first);
    stage.await("the write of " + slow, () -> stage.accepted(first.getFirst()));
    stage.pause(LATER);
    stage.say("5 s later " + String.join(" and ", others) + " of the other load balancers change");
    moved(others);
    stage.pause(QUEUED);
    stage.say("and %s leaves".formatted(Blueprint.nodeName(LEAVING)));
    stage.taint(List.of(LEAVING), Leaving.OUT_OF_SERVICE);
    stage.taint(List.of(LEAVING));
    stage.settle();
  }

  /** Moves Services to nodes that are further in front. */
  private List<Change> moved(List<String> names) {
    int from = stage.world.changes().size();
    for (String name : names) {
      Spec spec = Blueprint.named(name);
      int by = 1 + stage.random.nextInt(FARTHEST - 1);
      Set<Integer> nodes =
          stage.world.slice(spec, 0).stream().map(node -> node - by).collect(Collectors.toSet());
      stage.world.setSlice(spec, 0, nodes);
    }
    return stage.world.changes().stream().skip(from).toList();
  }
}
