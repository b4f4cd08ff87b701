package io.poolkeeper.lab;

import io.poolkeeper.armsim.LatencyProfile;
import io.poolkeeper.lab.Blueprint.Spec;
import io.poolkeeper.lab.LabReport.CheckResult;
import io.poolkeeper.lab.LabReport.Speed;
import io.poolkeeper.lab.LabReport.Spread;
import io.poolkeeper.lab.Propagation.Took;
import io.poolkeeper.lab.judge.ArmRequest;
import io.poolkeeper.lab.judge.ArmWaits;
import io.poolkeeper.lab.judge.BindingTruth;
import io.poolkeeper.lab.judge.EventAudit;
import io.poolkeeper.lab.judge.Judge;
import io.poolkeeper.lab.judge.NodeEvents;
import io.poolkeeper.lab.judge.PoolWrite;
import io.poolkeeper.lab.judge.ReportedEvent;
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
 * What a rehearsal has shown so far, and its report, from the API server, the simulator's log and
 * the scenario's ledger; nothing comes from the controller.
 *
 * @param requests of the controller
 * @param writes of the controller that ARM accepted
 * @param audit of the requests but for writes of admin states alone
 * @param checks so far, in order
 */
record Judgement(
    Lab lab,
    Stage stage,
    ArmJournal journal,
    List<ArmRequest> requests,
    List<PoolWrite> writes,
    EventAudit audit,
    List<CheckResult> checks) {
  /** Without latency; one write of the same load balancer may come first. */
  static final Duration PROMPT = Duration.ofSeconds(2);

  static Judgement of(Lab lab, Stage stage, List<ReportedEvent> events) {
    ArmJournal journal = lab.journal();
    EventAudit audit = new EventAudit(journal.requestsOfMembers(), events, services(lab.world));
    return new Judgement(
        lab, stage, journal, journal.requests(), journal.writes(), audit, new ArrayList<>());
  }

  private static Map<PoolId, String> services(World world) {
    Map<PoolId, String> services = new HashMap<>();
    for (Spec spec : world.services) {
      List.of(false, true).forEach(ipv6 -> services.put(spec.id(ipv6), spec.name()));
    }
    return services;
  }

  boolean fast() {
    return lab.options.profile() == LatencyProfile.FAST;
  }

  /** Nodes of which not all was reported, or more than that. */
  List<String> nodeEvents() {
    NodeEvents events = NodeEvents.in(lab.cluster.client());
    return (stage.ledger.byChance ? events.withoutFailures() : events)
        .differences(stage.ledger.nodeEvents);
  }

  /** Whether all writes, retries and changes of nodes have been reported. */
  boolean reported() {
    return audit.writes().isEmpty()
        && (stage.ledger.byChance || retries().isEmpty())
        && (!drains() || nodeEvents().isEmpty());
  }

  /** Whether anything happened after which admin states are to be written. */
  boolean drains() {
    return !stage.ledger.signals.isEmpty();
  }

  List<String> retries() {
    return audit.retries(stage.ledger.refused);
  }

  /** Those that may carry a change of the members. */
  private List<PoolWrite> puts() {
    return writes.stream().filter(write -> !write.statesOnly()).toList();
  }

  /** The changes that were delayed although they must not be. */
  List<String> overdue(Duration limit) {
    return Propagation.overdue(stage.ledger.prompt, puts(), limit);
  }

  BindingTruth bindings() {
    return new BindingTruth(
        stage.bindings.all(),
        lab.history,
        journal.initial(),
        lab.arm().pools(),
        lab.world.mark(),
        bound -> lab.world.members(Blueprint.named(bound.service()), false));
  }

  SpacingCheck spacing() {
    return new SpacingCheck(lab.interval(), lab.shortestSpacing());
  }

  /** A check that passes if nothing is wrong. */
  void none(String name, List<String> wrong) {
    checks.add(CheckResult.nothing(name, wrong));
  }

  void that(String name, boolean right, String wrong) {
    none(name, right ? List.of() : List.of(wrong));
  }

  /** What holds where only the controller writes. */
  void ofOneWriter() {
    int most = journal.counts().maxInFlightPerLoadBalancer();
    that("one write at a time per load balancer", most <= 1, most + " at once");
    ofWrites();
  }

  /** What holds of all writes and events, also where others write. */
  void ofWrites() {
    none("no write that changes nothing", pools(PoolWrite::needless));
    none("events in the words of the spec", audit.texts());
  }

  private List<String> pools(Predicate<PoolWrite> which) {
    return writes.stream().filter(which).map(write -> write.pool().toString()).toList();
  }

  /** What holds where the controller lives on and nobody else writes. */
  void ofPools() {
    spaced(audit.requests());
    reports();
    Duration prompt = fast() && PROMPT.compareTo(lab.interval()) < 0 ? PROMPT : lab.interval();
    none("no change delayed by another load balancer's lock", overdue(prompt));
  }

  void spaced(List<ArmRequest> requests) {
    none("writes of a pool spaced as set", spacing().tooSoon(requests));
  }

  void reports() {
    none("every accepted write was reported once", audit.writes());
  }

  void failures() {
    none("no failure was reported", audit.failures());
  }

  void ofRetries() {
    none("retries as many as errors were caused", retries());
  }

  /** What holds where nodes went out of service. */
  void ofNodes() {
    if (drains()) {
      upIsNeverWritten();
      none("each change of a node was reported once on it", nodeEvents());
      taints();
    }
  }

  void upIsNeverWritten() {
    none("Up is never written", pools(write -> write.states().containsValue("Up")));
  }

  void taints() {
    none("nodes are tainted as the signals say", stage.nodes.differences());
  }

  void leases() {
    none("nobody is left behind as holder of the shared Lease", lab.leases());
  }

  /** Makes the report of a rehearsal that ends like this. */
  LabReport report(Judge.Verdict verdict, long durationMillis, long readyMillis) {
    List<Change> changes = new ArrayList<>(lab.world.changes());
    changes.removeAll(stage.ledger.slow);
    Propagation propagation = Propagation.measure(changes, puts(), lab.interval());
    none("every pool equals its wish", verdict.all());
    if (lab.options.controller()) {
      none("the page says that all is well only if it is", stage.headlines.found());
    }
    stage.play.check(this);
    boolean drains = drains() && !lab.scenario().kills() && !stage.ledger.byChance;
    return new LabReport(
        lab.scenario().title(),
        lab.options.seed(),
        checks.stream().allMatch(CheckResult::passed),
        durationMillis,
        lab.interval().toMillis(),
        lab.options.profile().name().toLowerCase(Locale.ROOT),
        lab.notes,
        checks,
        Spread.of(propagation.millis(Took::quiet)),
        Spread.of(propagation.millis(took -> !took.quiet())),
        journal.counts(),
        audit.byReason(),
        verdict.members().size(),
        verdict.states().wronglyDown().size(),
        verdict.states().notDown().size(),
        readyMillis,
        speed(propagation),
        new LabReport.Writes(
            spacing().mostWithinInterval(audit.requests()), lab.pace().lowest(audit.requests())),
        lab.scenario().kills() ? lab.options.kills() : null,
        stage.play.storm(this),
        stage.play.sharedLease(this),
        stage.ledger.damages.isEmpty()
            ? null
            : new LabReport.Damages(
                Spread.of(Propagation.repairs(stage.ledger.damages, puts(), true)),
                Spread.of(Propagation.repairs(stage.ledger.damages, puts(), false))),
        drains && !lab.scenario().bound()
            ? new LabReport.Drains(
                Spread.of(Propagation.drains(stage.ledger.signals, writes, true)),
                Spread.of(Propagation.drains(stage.ledger.signals, writes, false)))
            : null,
        stage.play.admission(this));
  }

  private Speed speed(Propagation propagation) {
    ArmWaits waits = new ArmWaits(requests);
    Predicate<Took> held =
        took -> waits.delayed(took.change().pool(), took.change().atNanos(), took.acceptedNanos());
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
}
