package io.poolkeeper.simulation;

import io.poolkeeper.model.ObjectEvent;
import io.poolkeeper.node.NodeEffect;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The rules about admin states (spec 2), as far as one process could know of nodes: an entry
 * becomes Down only if its node is out of service and None only if it is in service again and that
 * is sure; events are true of ARM; at most one patch of a node is under way.
 */
final class StateRules {
  /** The longest delay until a pool hears of a change of a node. */
  private static final Duration PACED = Duration.ofSeconds(1);

  private final SimProcess process;
  private final SimWorld sim;
  private final SimCluster store;

  /** By address, and by the uid of a node. */
  private final Map<String, List<Level>> levels = new HashMap<>();

  private final Map<String, SimCluster.Node> nodes = new HashMap<>();
  private final Set<String> patching = new HashSet<>();

  private enum Service {
    IN,
    OUT,
    /** The node is to be left alone, or does not exist. */
    UNKNOWN
  }

  private record Level(Instant from, Service service) {}

  StateRules(SimProcess process) {
    this.process = process;
    this.sim = process.sim;
    this.store = process.watches.store;
    store.watch(this::changed);
  }

  private Duration slack() {
    return sim.options.slack().plus(PACED);
  }

  private void changed(SimCluster.Kind kind, String name) {
    if (kind != SimCluster.Kind.NODE) {
      return;
    }
    SimCluster.Node now = store.nodes.get(name);
    SimCluster.Node before = now == null ? nodes.remove(name) : nodes.put(name, now);
    if (before != null) {
      keys(before).forEach(key -> record(key, Service.UNKNOWN));
    }
    if (now != null) {
      keys(now).forEach(key -> record(key, service(now)));
    }
  }

  private static List<String> keys(SimCluster.Node node) {
    List<String> keys = new ArrayList<>(node.addresses());
    keys.add(node.uid());
    return keys;
  }

  private static Service service(SimCluster.Node node) {
    return node.ignored() ? Service.UNKNOWN : node.leaving() ? Service.OUT : Service.IN;
  }

  private void record(String key, Service service) {
    List<Level> of = levels.computeIfAbsent(key, any -> new ArrayList<>());
    Instant now = sim.time.now();
    if (!of.isEmpty() && of.getLast().from().equals(now)) {
      of.removeLast();
    }
    if (of.isEmpty() || of.getLast().service() != service) {
      of.add(new Level(now, service));
    }
  }

  /** Whether a node was in that state then or later. */
  private boolean was(String key, Service service, Instant since) {
    List<Level> of = levels.getOrDefault(key, List.of());
    return IntStream.range(0, of.size())
        .filter(i -> i == of.size() - 1 || of.get(i + 1).from().isAfter(since))
        .anyMatch(i -> of.get(i).service() == service);
  }

  /** A PUT is sent. */
  void writeIsSent(Attempt attempt, Map<String, String> sent) {
    Instant since = attempt.readAt.minus(slack());
    sent.forEach(
        (address, after) -> {
          String before = attempt.read.getOrDefault(address, "None");
          if (!after.equals(before)) {
            changes(attempt, address, before, after, since);
          }
        });
  }

  private void changes(
      Attempt attempt, String address, String before, String after, Instant since) {
    String how =
        "process %d, %s: %s from %s to %s"
            .formatted(process.number, attempt.pool, address, before, after);
    boolean down = after.equals("Down");
    boolean legal = down || (after.equals("None") && before.equals("Down"));
    sim.check(legal, how);
    sim.check(
        was(address, down ? Service.OUT : Service.IN, since),
        how + ", which its node did not ask for");
    Optional<Instant> lost = process.watches.nodesLostSince();
    sim.check(
        down || lost.filter(at -> sim.mustKnow(at.plus(PACED), attempt.from)).isEmpty(),
        how + " while the watch of nodes is lost");
  }

  /** The process records an event of a node. */
  void recorded(ObjectEvent event) {
    String uid = event.about().uid();
    boolean down = event.reason().equals("LoadBalancerAdminStateDown");
    if (!down && !event.reason().equals("LoadBalancerAdminStateNone")) {
      return;
    }
    Service service = down ? Service.OUT : Service.IN;
    sim.check(
        was(uid, service, sim.time.now().minus(slack())),
        "an event of what a node did not ask for: " + event);
    SimCluster.Node node = store.nodes.get(event.about().name());
    if (node == null || !node.uid().equals(uid)) {
      return;
    }
    for (String address : node.addresses()) {
      Instant signal = begin(address, service);
      sim.arm
          .truth
          .shown()
          .forEach(
              (pool, entries) -> {
                ArmTruth.Shown entry = entries.get(address);
                sim.check(
                    entry == null || entry.down() == down || entry.since().isAfter(signal),
                    "an event that is not true of %s: %s".formatted(pool, event));
              });
    }
  }

  /** Since when a node is in that state, but for times too short to notice; MIN if it is not. */
  private Instant begin(String key, Service service) {
    List<Level> of = levels.getOrDefault(key, List.of());
    Instant begin = Instant.MIN;
    Instant next = sim.time.now();
    for (int i = of.size() - 1; i >= 0; i--) {
      Level level = of.get(i);
      if (level.service() == service) {
        begin = level.from();
      } else if (level.from().isBefore(next.minus(slack()))) {
        return begin;
      }
      next = level.from();
    }
    return begin;
  }

  /** The process patches a node. */
  void patches(NodeEffect.Patch patch) {
    Instant since = sim.time.now().minus(slack());
    sim.check(patching.add(patch.uid()), "two patches at once: " + patch);
    sim.check(
        was(patch.uid(), Service.IN, since) || was(patch.uid(), Service.OUT, since),
        "a patch of a node that is to be left alone: " + patch);
  }

  /** The process hears the result of its patch. */
  void patched(NodeEffect.Patch patch) {
    patching.remove(patch.uid());
  }
}
