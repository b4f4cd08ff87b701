package io.poolkeeper.lab;

import io.poolkeeper.armsim.LatencyProfile;
import io.poolkeeper.lab.judge.AdmissionAudit;
import io.poolkeeper.lab.judge.BindingTruth;
import io.poolkeeper.lab.judge.Bound;
import io.poolkeeper.lab.judge.Resets;
import io.poolkeeper.lab.report.Check;
import io.poolkeeper.lab.report.Report;
import io.poolkeeper.lab.scenario.Blueprint.Spec;
import io.poolkeeper.lab.scenario.Propagation;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What is checked where bindings and their admission checks are.
 *
 * @param soon how long the entries of a deleted binding may stay
 */
record BindingChecks(
    AdmissionAudit audit, Duration soon, Resets resets, BindingTruth truth, List<String> late) {
  /** Without latency; one write of the same load balancer may come first. */
  private static final Duration PROMPT = Duration.ofSeconds(2);

  /** A real API server is watched, and its versions are known a little later. */
  private static final Duration WATCHED = Duration.ofMillis(200);

  static BindingChecks of(Lab lab, Rehearsal stage, ArmJournal journal) {
    List<Bound> bindings = stage.bindings().all();
    boolean fast = lab.options().profile() == LatencyProfile.FAST;
    // Pools of one load balancer are written one after the other.
    Duration soon = Duration.ofSeconds(fast ? 5 : 120);
    AdmissionAudit audit =
        new AdmissionAudit(
            bindings,
            lab.history(),
            journal.writes(),
            journal.initial(),
            lab.world().mark(),
            Duration.ofSeconds(fast ? 1 : 5),
            lab.cluster().embedded().isPresent() ? Duration.ZERO : WATCHED);
    return new BindingChecks(
        audit,
        soon,
        new Resets(bindings, lab.history(), stage.checkers().versions()),
        new BindingTruth(audit, lab.arm().pools(), bound -> members(lab, bound)),
        Propagation.late(stage.ledger().prompt(), journal.puts(), fast ? PROMPT : soon));
  }

  /** Node names by address. */
  private static Map<String, String> members(Lab lab, Bound bound) {
    Spec service =
        lab.world().services().stream()
            .filter(spec -> spec.name().equals(bound.service()))
            .findFirst()
            .orElseThrow();
    return lab.world().members(service, false);
  }

  List<String> differences() {
    return truth.differences();
  }

  List<Check> checks() {
    return List.of(
        Check.nothing("no write of members while a check holds the pool", audit.early()),
        Check.nothing("only entries of the mark are added and removed", audit.notOurs()),
        Check.nothing("nobody waits for another one's checks, or for a flood", late),
        Check.nothing(
            "checks are asked again together, after the latest delay, and counted", resets.wrong()),
        Check.nothing(
            "drains do not wait for checks",
            audit.drainedWhileHeld()
                ? List.of()
                : List.of("no entry was Down while its pool was held")),
        Check.nothing(
            "what a deleted binding has added leaves at once, and before it is gone",
            audit.uncleaned(soon)),
        Check.nothing("every bound pool and every status is right", truth.differences()));
  }

  Report.Admission figures() {
    return new Report.Admission(audit.bindings().size(), resets.count(), audit.longestHoldMillis());
  }
}
