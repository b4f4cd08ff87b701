package io.poolkeeper.lab;

import io.poolkeeper.lab.judge.NodeEvents;
import io.poolkeeper.lab.report.Check;
import io.poolkeeper.lab.report.Report;
import io.poolkeeper.lab.report.Spread;
import io.poolkeeper.lab.scenario.Drained;
import java.util.List;
import java.util.Map;

/**
 * What is checked after nodes went out of service, beyond what every rehearsal checks.
 *
 * @param expected how often each reason is to be reported of each node
 * @param taints nodes that are tainted against the signals
 */
record DrainChecks(
    Drained drained, NodeEvents events, Map<String, Integer> expected, List<String> taints) {
  /** Nodes of which not all was reported, or more than that. */
  List<String> nodeEvents() {
    return events.differences(expected);
  }

  List<Check> checks() {
    return List.of(
        Check.nothing(
            "one write of each pool that a signal concerns, and of no other", drained.wrong()),
        Check.nothing("Up is never written", drained.up()),
        Check.nothing("each change of a node was reported once on it", nodeEvents()),
        Check.nothing("nodes are tainted as the signals say", taints));
  }

  Report.Drains millis() {
    return new Report.Drains(Spread.of(drained.millis(true)), Spread.of(drained.millis(false)));
  }
}
