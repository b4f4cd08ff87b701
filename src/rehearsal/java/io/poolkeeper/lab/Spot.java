package io.poolkeeper.lab;

import static io.poolkeeper.lab.Blueprint.nodeName;

import io.fabric8.kubernetes.api.model.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Azure preempts spot nodes, as old and new builds of node-problem-detector say it; other messages
 * look alike, and an operator clears a node, which must then be left alone, also by a controller
 * that has restarted.
 */
record Spot(Stage stage, ProblemDetector detector) implements Play {
  private static final Duration NOTICE = Duration.ofSeconds(30);
  private static final Duration NOTHING = Duration.ofSeconds(2);
  private static final String PREEMPT = "PreemptScheduled";

  private static final int OLD = 0;
  private static final int NEW = 3;
  private static final int CONDITION = 6;
  private static final int GENERAL = 9;
  private static final int SPARED = 12;

  Spot(Stage stage) {
    this(stage, stage.detector);
  }

  @Override
  public void play() throws InterruptedException {
    Event first = oldDetector();
    newDetector();
    conditions();
    falsePositives();
    cleared(first);
    restarted(first);
    replaced();
  }

  private Event oldDetector() throws InterruptedException {
    String node = nodeName(OLD);
    stage.say("an old detector: the event's uid is the node's name; then it is counted again");
    String message = detector.scheduled(NOTICE);
    Event[] written = new Event[1];
    preempted(OLD, () -> written[0] = detector.event(node, node, PREEMPT, message));
    detector.again(written[0]);
    detector.again(written[0]);
    detector.event(node, node, PREEMPT, "Preempt Started: .");
    stage.pause(NOTHING);
    return written[0];
  }

  private void newDetector() throws InterruptedException {
    String node = nodeName(NEW);
    String uid = uid(NEW);
    stage.say("a new detector: a uid and an EventId; a second event with the same id");
    String message = detector.scheduled(NOTICE, "AAAAAAAA-0000-0000-0000-000000000001");
    preempted(NEW, () -> detector.event(node, uid, PREEMPT, message));
    detector.event(node, uid, PREEMPT, message);
    stage.pause(NOTHING);
  }

  private void conditions() throws InterruptedException {
    stage.say("conditions, which come seconds before the events");
    String message = detector.scheduled(NOTICE, "AAAAAAAA-0000-0000-0000-000000000002");
    String node = nodeName(CONDITION);
    preempted(
        CONDITION,
        () -> detector.condition(node, "PreemptionScheduled", "SpotEvictionIncoming", message));
    detector.event(node, uid(CONDITION), PREEMPT, message);
    String other = detector.scheduled(NOTICE);
    preempted(
        GENERAL,
        () -> detector.condition(nodeName(GENERAL), "VMEventScheduled", "VMEventScheduled", other));
  }

  private void falsePositives() throws InterruptedException {
    String node = nodeName(SPARED);
    String uid = uid(SPARED);
    stage.say("messages that look alike: none of them is a preemption");
    for (String message :
        List.of(
            "IMDS query failed, exit code: 28\nConnection timed out after 24 seconds.",
            "IMDS query failed: 429 Too Many Requests",
            "SpotRebalanceRecommendation: the node may be preempted",
            "No Preempt Scheduled: none")) {
      detector.event(node, node, PREEMPT, message);
      detector.event(node, uid, PREEMPT, message);
    }
    detector.event(node, uid, "RebootScheduled", "Reboot Scheduled: " + Instant.EPOCH);
    detector.event(node, uid, "FreezeScheduled", detector.scheduled(NOTICE));
    detector.event(
        node, "0b6b5f3e-0000-4000-8000-000000000000", PREEMPT, detector.scheduled(NOTICE, "X"));
    detector.event(
        node,
        uid,
        PREEMPT,
        detector.scheduled(NOTICE, "Y"),
        detector.clock().instant().minus(Duration.ofHours(1)));
    detector.condition(
        node, "VMEventScheduled", "VMEventScheduled", "Reboot Scheduled: " + Instant.EPOCH);
    stage.pause(NOTHING);
  }

  private void cleared(Event first) throws InterruptedException {
    stage.say("an operator clears two of the nodes; the same signals come again");
    stage.taint(List.of(OLD));
    stage.taint(List.of(CONDITION));
    again(first);
  }

  private void again(Event first) throws InterruptedException {
    detector.again(first);
    var current = stage.nodes.get(CONDITION).getStatus().getConditions().getFirst();
    detector.condition(
        nodeName(CONDITION), current.getType(), current.getReason(), current.getMessage());
    stage.pause(NOTHING);
  }

  private void restarted(Event first) throws InterruptedException {
    stage.say("the controller restarts: it sees all of it again, and does nothing");
    stage.restartController();
    stage.converge();
    again(first);
    String node = nodeName(OLD);
    stage.say("another preemption of a node that was cleared");
    String message = detector.scheduled(NOTICE, "AAAAAAAA-0000-0000-0000-000000000003");
    preempted(OLD, () -> detector.event(node, uid(OLD), PREEMPT, message));
  }

  private void replaced() throws InterruptedException {
    stage.say("a preempted node is replaced under its name: it begins clean");
    stage.nodes.replace(NEW);
    stage.converge();
    stage.pause(NOTHING);
    stage.awaitNodeEvents();
  }

  private void preempted(int node, Runnable signal) throws InterruptedException {
    stage.nodes.preempted(node, signal);
    stage.convergeAndReport();
  }

  private String uid(int node) {
    return stage.nodes.get(node).getMetadata().getUid();
  }
}
