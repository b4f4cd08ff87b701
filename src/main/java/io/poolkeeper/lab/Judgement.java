package io.poolkeeper.lab;

import io.poolkeeper.armsim.LatencyProfile;
import io.poolkeeper.lab.Blueprint.Spec;
import io.poolkeeper.lab.Propagation.Took;
import io.poolkeeper.lab.judge.ArmRequest;
import io.poolkeeper.lab.judge.ArmWaits;
import io.poolkeeper.lab.judge.BindingTruth;
import io.poolkeeper.lab.judge.EventAudit;
import io.poolkeeper.lab.judge.Judge;
import io.poolkeeper.lab.judge.NodeEvents;
import io.poolkeeper.lab.judge.PoolWrite;
import io.poolkeeper.lab.judge.ReportedEvent;
import io.poolkeeper.lab.judge.SharedLease;
import io.poolkeeper.lab.judge.SpacingCheck;
import io.poolkeeper.model.PoolId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The checks and the report of a rehearsal, from the API server, the simulator's log and the
 * scenario's ledger; nothing comes from the controller.
 *
 * @param requests of the controller
 * @param writes of the controller that ARM accepted
 * @param audit of the requests but for writes of admin states alone
 */
record Judgement(
    Lab lab,
    Stage stage,
    ArmJournal journal,
    List<ArmRequest> requests,
    List<PoolWrite> writes,
    EventAudit audit) {
  /** Without latency; one write of the same load balancer may come first. */
  private static final Duration PROMPT = Duration.ofSeconds(2);

  /** How long a deleted binding may stay: pools of one load balancer are written in a row. */
  private static final Duration GONE = Duration.ofSeconds(5);

  /** The same with the latency of Azure. */
  private static final Duration LATE = Duration.ofMinutes(2);

  /** Per pool, when one call in ten fails and a few meet a gate. */
  private static final double MOST_WRITES = 1.35;

  /** Judges the events and requests so far. */
  static Judgement of(Lab lab, Stage stage, List<ReportedEvent> events) {
    ArmJournal journal = lab.journal();
    EventAudit audit = new EventAudit(journal.requestsOfMembers(), events, services(lab.world));
    return new Judgement(lab, stage, journal, journal.requests(), journal.writes(), audit);
  }

  private static Map<PoolId, String> services(World world) {
    Map<PoolId, String> services = new HashMap<>();
    for (Spec spec : world.services) {
      List.of(false, true).forEach(ipv6 -> services.put(spec.id(ipv6), spec.name()));
    }
    return services;
  }

  private Scenario scenario() {
    return lab.scenario();
  }

  private boolean fast() {
    return lab.options.profile() == LatencyProfile.FAST;
  }

  /** Nodes of which not all was reported, or more than that. */
  List<String> nodeEvents() {
    NodeEvents events = NodeEvents.in(lab.cluster.client());
    return (scenario().contended() ? events.withoutFailures() : events)
        .differences(stage.ledger.nodeEvents);
  }

  /** Whether all writes and retries have been reported. */
  boolean settled() {
    return scenario().kills() || scenario().bound() || reported();
  }

  private boolean reported() {
    return audit.writes().isEmpty()
        && (!byNumber() || retries().isEmpty())
        && (stage.ledger.signals.isEmpty() || nodeEvents().isEmpty());
  }

  /** Whether it is certain how many retries there must be. */
  private boolean byNumber() {
    return !stage.ledger.byChance && !scenario().contended();
  }

  private List<String> retries() {
    return audit.retries(stage.ledger.refused);
  }

  /** Those that may carry a change of the members. */
  private List<PoolWrite> puts() {
    return writes.stream().filter(write -> !write.statesOnly()).toList();
  }

  /** What is so of bindings. */
  BindingTruth bindings() {
    return new BindingTruth(
        stage.bindings.all(),
        lab.history,
        journal.initial(),
        lab.arm().pools(),
        lab.world.mark(),
        bound -> lab.world.members(Blueprint.named(bound.service()), false));
  }

  private SharedLease lease() {
    return new SharedLease(
        stage.peer.lease().attempts,
        stage.peer.lease().holds,
        lab.lock().drainWait(),
        stage.ledger.left);
  }

  private SpacingCheck spacing() {
    return new SpacingCheck(lab.interval(), lab.shortestSpacing());
  }

  private List<CheckResult> checks(List<String> differences, LabReport.Arm arm) {
    Checks checks = new Checks(new ArrayList<>());
    checks.none("every pool equals its wish", differences);
    // Those of a person in the portal may be in flight at any time.
    if (scenario().contended()) {
      checks.none("no write cancels another one", journal.cancelling());
    } else {
      int most = arm.maxInFlightPerLoadBalancer();
      checks.that("one write at a time per load balancer", most <= 1, most + " at once");
    }
    checks.none("no write that changes nothing", pools(PoolWrite::needless));
    checks.none("events in the words of the spec", audit.texts());
    if (scenario().bound()) {
      ofBindings(checks);
    } else if (scenario().kills()) {
      // What a controller has not reported before it was killed, it never will.
      checks.none("no failure was reported", audit.failures());
    } else {
      ofOneLife(checks);
    }
    if (!scenario().bound() && !stage.ledger.signals.isEmpty()) {
      ofNodes(checks);
    }
    if (scenario().contended()) {
      besideOthers(checks);
    }
    if (scenario().kills() || scenario().contended()) {
      checks.none("nobody is left behind as holder of the shared Lease", lab.leases());
    }
    return checks.all();
  }

  private record Checks(List<CheckResult> all) {
    void none(String name, List<String> wrong) {
      all.add(CheckResult.nothing(name, wrong));
    }

    void that(String name, boolean right, String wrong) {
      none(name, right ? List.of() : List.of(wrong));
    }
  }

  private List<String> pools(Predicate<PoolWrite> which) {
    return writes.stream().filter(which).map(write -> write.pool().toString()).toList();
  }

  private void ofBindings(Checks checks) {
    BindingTruth truth = bindings();
    checks.none(
        "nobody waits for another one's checks, or for a flood",
        Propagation.late(stage.ledger.prompt, puts(), fast() ? PROMPT : LATE));
    checks.that(
        "drains do not wait for checks",
        truth.drainedWhileHeld(writes),
        "no entry was Down while its pool was held");
    checks.none("a deleted binding is gone at once", truth.lingering(fast() ? GONE : LATE));
    checks.none("every bound pool and every status is right", truth.differences());
  }

  private void ofOneLife(Checks checks) {
    // Where others write, what was refused may have been a drain, which is tried again sooner.
    List<ArmRequest> spaced =
        audit.requests().stream()
            .filter(request -> request.accepted() || !scenario().contended())
            .toList();
    checks.none("writes of a pool spaced as set", spacing().tooSoon(spaced));
    checks.none("every accepted write was reported once", audit.writes());
    if (!scenario().contended()) {
      Duration prompt = fast() && PROMPT.compareTo(lab.interval()) < 0 ? PROMPT : lab.interval();
      checks.none(
          "no change delayed by another load balancer's lock",
          Propagation.late(stage.ledger.prompt, puts(), prompt));
    }
    if (stage.ledger.byChance) {
      double amplification = storm().amplification();
      String name = "at most %s writes per pool".formatted(MOST_WRITES);
      checks.that(name, amplification <= MOST_WRITES, "%.2f".formatted(amplification));
    } else {
      checks.none("no failure was reported", audit.failures());
    }
    if (byNumber()) {
      checks.none("retries as many as errors were caused", retries());
    }
  }

  private void ofNodes(Checks checks) {
    checks.none("Up is never written", pools(write -> write.states().containsValue("Up")));
    if (!scenario().kills()) {
      checks.none("each change of a node was reported once on it", nodeEvents());
    }
    checks.none("nodes are tainted as the signals say", stage.nodes.differences());
  }

  private void besideOthers(Checks checks) {
    checks.none(
        "no write while the cloud provider holds the Lease, but for late drains",
        lease().beside(requests, writes, false));
    checks.none(
        "a cloud provider that says that it waits fails four times more at most",
        lease().impatient());
    checks.none("the cloud provider hears of every session", lease().silent());
  }

  /** Makes the report of a rehearsal that ends like this. */
  LabReport report(Judge.Verdict verdict, long durationMillis, long readyMillis) {
    LabReport.Arm arm = journal.counts();
    List<Change> changes = new ArrayList<>(lab.world.changes());
    changes.removeAll(stage.ledger.slow);
    Propagation propagation = Propagation.measure(changes, puts(), lab.interval());
    List<CheckResult> checks = checks(verdict.all(), arm);
    boolean drains = !scenario().kills() && !scenario().contended() && !scenario().bound();
    return new LabReport(
        scenario().title(),
        lab.options.seed(),
        checks.stream().allMatch(CheckResult::passed),
        durationMillis,
        lab.interval().toMillis(),
        lab.options.profile().name().toLowerCase(Locale.ROOT),
        lab.notes,
        checks,
        Spread.of(propagation.millis(Took::quiet)),
        Spread.of(propagation.millis(took -> !took.quiet())),
        arm,
        audit.byReason(),
        verdict.members().size(),
        verdict.states().wronglyDown().size(),
        verdict.states().notDown().size(),
        readyMillis,
        speed(propagation),
        new LabReport.Writes(
            spacing().mostWithinInterval(audit.requests()), lab.pace().lowest(audit.requests())),
        scenario().kills() ? lab.options.kills() : null,
        stage.ledger.byChance ? storm() : null,
        scenario().contended() ? sharedLease() : null,
        stage.ledger.damages.isEmpty()
            ? null
            : new LabReport.Damages(
                Spread.of(Propagation.repairs(stage.ledger.damages, puts(), true)),
                Spread.of(Propagation.repairs(stage.ledger.damages, puts(), false))),
        drains && !stage.ledger.signals.isEmpty()
            ? new LabReport.Drains(
                Spread.of(Propagation.drains(stage.ledger.signals, writes, true)),
                Spread.of(Propagation.drains(stage.ledger.signals, writes, false)))
            : null,
        scenario().bound() ? admission() : null);
  }

  private Speed speed(Propagation propagation) {
    ArmWaits waits = new ArmWaits(requests);
    Predicate<Took> held =
        took -> waits.held(took.change().pool(), took.change().atNanos(), took.acceptedNanos());
    Tick tick = new Tick(lab.startedNanos(), lab.interval());
    return new Speed(
        Spread.of(propagation.millis(held.negate().and(Took::quiet))),
        Spread.of(propagation.millis(held.negate().and(took -> !took.quiet()))),
        Spread.of(propagation.millis(held)),
        Spread.of(
            propagation.all().stream()
                .map(took -> tick.millisFrom(took.change().atNanos()))
                .toList()));
  }

  private LabReport.SharedLease sharedLease() {
    SharedLease lease = lease();
    return new LabReport.SharedLease(
        lease.attempts().size(),
        lease.failed(),
        lease.longestRun(),
        lease.beside(requests, writes, true).size());
  }

  private LabReport.Admission admission() {
    BindingTruth truth = bindings();
    return new LabReport.Admission(
        truth.bindings().size(), truth.resets(), truth.longestHoldMillis());
  }

  private LabReport.Storm storm() {
    int pools = 0;
    for (Spec spec : lab.world.services) {
      pools += lab.world.isDualStack(spec) ? 2 : 1;
    }
    int sent = (int) requests.stream().filter(ArmRequest::writesPool).count();
    long begin = requests.stream().mapToLong(ArmRequest::arrivedNanos).min().orElse(0);
    long end = writes.stream().mapToLong(PoolWrite::acceptedNanos).max().orElse(begin);
    double amplification = Math.round(100.0 * sent / pools) / 100.0;
    return new LabReport.Storm(pools, sent, amplification, (end - begin) / 1_000_000);
  }
}
