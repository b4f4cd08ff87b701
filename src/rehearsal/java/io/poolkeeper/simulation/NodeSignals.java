package io.poolkeeper.simulation;

import io.poolkeeper.model.NodeKey;
import io.poolkeeper.node.HandledPreemptions;
import io.poolkeeper.node.NodeEffect;
import io.poolkeeper.node.NodeEvent;
import io.poolkeeper.node.PatchResult;
import io.poolkeeper.simulation.SimCluster.Node;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is said of nodes at the API server (spec 2, Signal Detection): taints that operators and the
 * cloud provider set and clear, and preemptions, in conditions and in events of old and new
 * node-problem-detectors, among messages that only look alike. It answers the patches of the
 * process, and judges them: each is about a preemption of that very node, and none of them taints
 * it twice.
 */
final class NodeSignals {
  private static final String DRAINING = "cloudprovider.azure.microsoft.com/draining";
  private static final List<String> TAINTS =
      List.of(
          "node.kubernetes.io/out-of-service",
          "node.cloudprovider.kubernetes.io/shutdown",
          DRAINING);

  /** Means leaving in a world with other signals. */
  static final String EXTRA = "karpenter.sh/disrupted";

  /** How events announce a preemption in the other worlds. */
  static final NodeEvent.Origin DETECTOR = new NodeEvent.Origin("default", "", "detector");

  static final List<String> SHIPPED = List.of("Preempt Scheduled:", "Preempt Started:");

  private static final Duration MILLI = Duration.ofMillis(1);
  private static final Duration SECOND = Duration.ofSeconds(1);

  /** The annotation keeps eight ids, two of each. */
  private static final int MOST_OF_A_NODE = 3;

  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  /** An event about a node, with the uid that it gives for it. */
  private record Said(String node, String uid, String message, Instant at) {}

  private final SimWorld sim;
  private final List<Said> events = new ArrayList<>();

  /** The ids of preemptions by the uid of the node. */
  private final Map<String, Set<String>> announced = new HashMap<>();

  private final Map<String, Set<String>> handled = new HashMap<>();

  /** The keys that take a node out of service in this world. */
  private final List<String> taints;

  private int serial;

  NodeSignals(SimWorld sim) {
    this.sim = sim;
    taints =
        sim.options.nodes().otherSignals()
            ? Stream.concat(TAINTS.stream(), Stream.of(EXTRA)).toList()
            : TAINTS;
  }

  /** Something is said of a node. */
  void change(Node node) {
    switch (sim.chance.nextInt(10)) {
      case 0, 1, 2, 3 -> taint(node);
      case 4, 5 -> preempt(node);
      case 6 -> lookAlike(node);
      case 7 -> {
        sim.mark(RunMark.NODE_LEFT_ALONE);
        sim.cluster.put(node.toggled(SimCluster.OPT_OUT, "ignore"));
      }
      case 8 -> sim.cluster.put(node.noticed(List.of()));
      default -> sim.process.ifPresent(this::listed);
    }
  }

  private void taint(Node node) {
    List<String> present = taints.stream().filter(node.taints()::contains).toList();
    boolean clears = !present.isEmpty() && sim.chance.happens(0.7);
    String taint = sim.chance.pick(clears ? present : taints);
    Node after = node.tainted(taint, !clears);
    if (clears && taint.equals(DRAINING) && !node.handled().isEmpty()) {
      sim.mark(RunMark.TAINT_CLEARED);
    }
    if (node.leaving() && !after.leaving()) {
      boolean seen = sim.process.map(one -> one.watches.seesNodes()).orElse(false);
      sim.mark(seen ? RunMark.NODE_RETURNED : RunMark.RETURNED_UNSEEN);
    } else if (after.leaving()) {
      sim.mark(RunMark.NODE_LEFT);
      if (after.taints().equals(Set.of(EXTRA))) {
        sim.mark(RunMark.LEFT_BY_EXTRA_TAINT);
      }
    }
    sim.cluster.put(after);
  }

  /** A node is to be preempted, and that is said in one or two ways. */
  private void preempt(Node node) {
    Set<String> ids = announced.computeIfAbsent(node.uid(), any -> new TreeSet<>());
    if (ids.size() > 2 * MOST_OF_A_NODE) {
      return;
    }
    String id = "EVENT-%04d".formatted(++serial);
    String date = DATE.format(sim.time.now().plusSeconds(30 + serial));
    ids.addAll(List.of(id, date, "started"));
    String old =
        "Preempt Scheduled: %s. DurationInSeconds: -1.  For more information, see the docs."
            .formatted(date);
    List<String> forms = List.of(old, old + " EventId: " + id, "Preempt Started: .");
    if (sim.chance.happens(0.6)) {
      sim.cluster.put(node.noticed(List.of(sim.chance.pick(forms))));
    } else {
      say(node, node.uid(), sim.chance.pick(forms));
    }
    if (sim.chance.happens(0.4)) {
      say(node, node.name(), sim.chance.pick(forms));
    }
  }

  /** Says something that is no preemption, or not one of this node. */
  private void lookAlike(Node node) {
    String about =
        " Scheduled: %s. EventId: EVENT-%d".formatted(DATE.format(sim.time.now()), ++serial);
    String message =
        sim.chance.pick(List.of("Freeze" + about, "Reboot" + about, "No Preempt" + about, "429"));
    if (sim.chance.happens(0.3)) {
      sim.cluster.put(node.noticed(List.of(message)));
    } else {
      say(node, node.uid(), message);
      say(node, "another-" + node.uid(), "Preempt" + about);
    }
  }

  private void say(Node node, String uid, String message) {
    Said said = new Said(node.name(), uid, message, sim.time.now());
    events.add(said);
    sim.process.ifPresent(one -> arrives(one, said));
  }

  /** Delivers all events again, as after a restart or the loss of their watch. */
  void listed(SimProcess process) {
    events.forEach(said -> arrives(process, said));
  }

  private void arrives(SimProcess process, Said said) {
    sim.time.after(
        sim.chance.between(MILLI, SECOND.multipliedBy(5)),
        () ->
            process.preempted(
                new NodeEvent.Preempted(
                    new NodeKey(said.node()),
                    said.uid(),
                    said.message(),
                    said.at(),
                    Duration.between(said.at(), sim.faults.wall()),
                    DETECTOR)));
  }

  /** One more preemption, which the controller must handle. */
  void lastOne() {
    sim.cluster.nodes.values().stream()
        .filter(node -> !node.ignored())
        .findFirst()
        .ifPresent(this::preempt);
  }

  /** Whether what the conditions of a node say has been heeded. */
  static boolean heeded(Node node) {
    return node.notices().stream()
        .filter(message -> message.startsWith("Preempt "))
        .allMatch(
            message ->
                message.startsWith("Preempt Started")
                    ? !node.handled().isEmpty()
                    : HandledPreemptions.of(node.handled()).ids().stream()
                        .anyMatch(message::contains));
  }

  /** A process patches a node: it reads it, and patches what it has read. */
  CompletionStage<PatchResult> patch(SimProcess from, NodeEffect.Patch patch) {
    CompletableFuture<PatchResult> answer = new CompletableFuture<>();
    boolean spoiled = sim.faults.on() && sim.options.has(Fault.PATCH) && sim.chance.happens(0.4);
    PatchResult instead = sim.chance.pick(List.of(PatchResult.CONFLICT, PatchResult.FAILED));
    boolean made = !spoiled || (instead == PatchResult.FAILED && sim.chance.happens(0.5));
    Duration each = sim.chance.between(MILLI, spoiled ? SECOND.multipliedBy(20) : SECOND);
    sim.time.after(
        each,
        () -> {
          Node read = sim.cluster.nodes.get(patch.node().name());
          sim.time.after(
              each,
              () -> {
                PatchResult result = made ? apply(read, patch) : instead;
                PatchResult said = spoiled ? instead : result;
                if (said == PatchResult.CONFLICT) {
                  sim.mark(RunMark.PATCH_CONFLICT);
                }
                from.guarded(() -> answer.complete(said)).run();
              });
        });
    return answer;
  }

  private PatchResult apply(@Nullable Node read, NodeEffect.Patch patch) {
    Node now = sim.cluster.nodes.get(patch.node().name());
    if (read == null || !read.uid().equals(patch.uid())) {
      return PatchResult.GONE;
    }
    HandledPreemptions before = HandledPreemptions.of(read.handled());
    if (before.ids().containsAll(patch.ids())) {
      return PatchResult.DONE;
    }
    if (!read.equals(now)) {
      return PatchResult.CONFLICT;
    }
    sim.trace.say("%s takes %s".formatted(read.name(), patch));
    Set<String> known = handled.computeIfAbsent(read.uid(), any -> new TreeSet<>());
    boolean taints = patch.taint() && !before.containsAny(patch.ids());
    sim.check(
        announced.getOrDefault(read.uid(), Set.of()).containsAll(patch.ids()),
        "a preemption of another node, or none: " + patch);
    sim.check(
        !taints || patch.ids().stream().noneMatch(known::contains),
        "a node is tainted again for the same preemption: " + patch);
    known.addAll(patch.ids());
    Node after = read.handled(before.with(patch.ids()).text());
    if (taints) {
      sim.mark(RunMark.NODE_TAINTED);
      sim.mark(RunMark.NODE_LEFT);
    }
    sim.cluster.put(taints ? after.tainted(DRAINING, true) : after);
    return PatchResult.DONE;
  }
}
