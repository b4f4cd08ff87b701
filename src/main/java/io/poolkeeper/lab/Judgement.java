package io.poolkeeper.lab;

import io.poolkeeper.armsim.LatencyProfile;
import io.poolkeeper.armsim.fault.FaultRule;
import io.poolkeeper.lab.judge.ArmRequest;
import io.poolkeeper.lab.judge.ArmWaits;
import io.poolkeeper.lab.judge.EventAudit;
import io.poolkeeper.lab.judge.Judge;
import io.poolkeeper.lab.judge.NodeEvents;
import io.poolkeeper.lab.judge.ReportedEvent;
import io.poolkeeper.lab.judge.RetryTiming;
import io.poolkeeper.lab.judge.SharedLease;
import io.poolkeeper.lab.judge.Spacing;
import io.poolkeeper.lab.report.Check;
import io.poolkeeper.lab.report.Report;
import io.poolkeeper.lab.report.Speed;
import io.poolkeeper.lab.report.Spread;
import io.poolkeeper.lab.scenario.ArmSeed;
import io.poolkeeper.lab.scenario.Blueprint.Spec;
import io.poolkeeper.lab.scenario.Change;
import io.poolkeeper.lab.scenario.Drained;
import io.poolkeeper.lab.scenario.Ledger;
import io.poolkeeper.lab.scenario.Propagation;
import io.poolkeeper.lab.scenario.Propagation.Put;
import io.poolkeeper.lab.scenario.Propagation.Took;
import io.poolkeeper.lab.scenario.Scenario;
import io.poolkeeper.lab.scenario.Signal;
import io.poolkeeper.lab.scenario.Tick;
import io.poolkeeper.lab.scenario.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The checks and the report of a rehearsal, from the API server, the simulator's log and the
 * scenario's ledger; nothing comes from the controller.
 */
record Judgement(
    Lab lab,
    Rehearsal stage,
    ArmJournal journal,
    List<ArmRequest> requests,
    List<ArmRequest> ofMembers,
    EventAudit audit) {
  /** Without latency; one write of the same load balancer may come first. */
  private static final Duration PROMPT = Duration.ofSeconds(2);

  /** From a signal to the write, but for what ARM does. */
  private static final Duration DRAINED = Duration.ofSeconds(1);

  /** Per pool, when one call in ten fails and a few meet a gate. */
  private static final double MOST_WRITES = 1.35;

  /**
   * Judges the events and requests so far.
   *
   * @param rules fault rules by id
   */
  static Judgement of(
      Lab lab, Rehearsal stage, Map<Long, FaultRule> rules, List<ReportedEvent> events) {
    ArmJournal journal = lab.journal();
    List<ArmRequest> requests = journal.requests(rules);
    List<ArmRequest> ofMembers = journal.requestsOfMembers(rules);
    EventAudit audit = new EventAudit(ofMembers, events, services(lab.world()));
    return new Judgement(lab, stage, journal, requests, ofMembers, audit);
  }

  private Ledger ledger() {
    return stage.ledger();
  }

  /** Nodes of which not all was reported, or more than that. */
  List<String> nodeEvents() {
    return drains().nodeEvents();
  }

  private DrainChecks drains() {
    NodeEvents events = NodeEvents.in(lab.cluster().client());
    return new DrainChecks(
        new Drained(ledger().signals(), journal.writes()),
        contended() ? events.withoutFailures() : events,
        ledger().nodeEvents(),
        stage.nodes().differences());
  }

  private static Map<String, String> services(World world) {
    Map<String, String> services = new HashMap<>();
    for (Spec spec : world.services()) {
      for (boolean ipv6 : List.of(false, true)) {
        services.put(spec.pool(ipv6).toLowerCase(Locale.ROOT), spec.name());
      }
    }
    return services;
  }

  /** Whether all writes, failures and retries have been reported. */
  boolean settled() {
    return lab.options().scenario().kills() || bound() || reported();
  }

  private boolean reported() {
    return audit.writes().isEmpty()
        && audit.attempts(contended()).isEmpty()
        && retries().isEmpty()
        && (ledger().signals().isEmpty() || nodeEvents().isEmpty());
  }

  private List<String> retries() {
    return ledger().isByChance() || contended() ? List.of() : audit.retries(ledger().refused());
  }

  /** Makes the report of a rehearsal that ends like this. */
  Report report(Scenario scenario, Judge.Verdict verdict, long durationMillis, long readyMillis) {
    List<Put> puts = journal.puts();
    Report.Arm arm = journal.counts();
    Map<String, Integer> events = audit.byReason();
    List<Change> changes = new ArrayList<>(lab.world().changes());
    changes.removeAll(ledger().slow());
    Propagation propagation = Propagation.measure(changes, puts, lab.interval());
    List<Check> checks = checks(verdict.all(), puts, arm);
    return new Report(
        scenario.title(),
        lab.options().seed(),
        checks.stream().allMatch(Check::passed),
        durationMillis,
        lab.interval().toMillis(),
        lab.options().profile().name().toLowerCase(Locale.ROOT),
        lab.notes(),
        checks,
        Spread.of(propagation.afterQuiet()),
        Spread.of(propagation.withinInterval()),
        arm,
        events,
        verdict.members().size(),
        verdict.states().wronglyDown().size(),
        verdict.states().notDown().size(),
        readyMillis,
        speed(propagation),
        new Report.Writes(spacing().mostWithinInterval(ofMembers), lab.pace().lowest(ofMembers)),
        lab.options().scenario().kills() ? lab.options().kills() : null,
        ledger().isByChance() ? storm(puts) : null,
        contended() ? leaseChecks().figures() : null,
        ledger().damages().isEmpty() ? null : damages(puts),
        ledger().signals().isEmpty() || lab.options().scenario().kills() || contended() || bound()
            ? null
            : drains().millis(),
        bound() ? bindings().figures() : null);
  }

  private SharedLease.Terms terms() {
    return new SharedLease.Terms(
        lab.lock().maxHold().plusSeconds(10), lab.lock().drainWait(), ledger().left());
  }

  /** Whether a request leads to a drain, where another client may make drains fail. */
  private boolean mayDrain(ArmRequest request) {
    Optional<ArmRequest> write =
        requests.stream()
            .filter(ArmRequest::writesPool)
            .filter(later -> later.pool().equals(request.pool()))
            .filter(later -> later.arrivedNanos() >= request.arrivedNanos())
            .min(Comparator.comparingLong(ArmRequest::arrivedNanos));
    return contended() && write.map(this::drains).orElse(false);
  }

  private boolean drains(ArmRequest write) {
    return terms()
        .drains(
            journal.writes().stream()
                .filter(accepted -> accepted.sentNanos() == write.arrivedNanos())
                .findFirst()
                .orElse(null));
  }

  private Spacing spacing() {
    return new Spacing(lab.interval(), lab.shortestSpacing());
  }

  private Speed speed(Propagation propagation) {
    ArmWaits waits = new ArmWaits(requests);
    Predicate<Took> held = took -> held(waits, took);
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

  private static boolean held(ArmWaits waits, Took took) {
    Change change = took.change();
    return waits.held(change.loadBalancer(), change.pool(), change.atNanos(), took.acceptedNanos());
  }

  private List<Check> checks(List<String> differences, List<Put> puts, Report.Arm arm) {
    List<Check> checks = new ArrayList<>(always(differences, arm));
    if (lab.options().scenario().kills()) {
      checks.addAll(afterKills());
    } else if (bound()) {
      checks.addAll(bindings().checks());
    } else {
      checks.addAll(ofOneLife(puts));
    }
    if (contended()) {
      checks.addAll(besideOthers());
    }
    return checks;
  }

  private boolean bound() {
    return lab.options().scenario().bound();
  }

  /** What is checked of bindings. */
  BindingChecks bindings() {
    return BindingChecks.of(lab, stage, journal);
  }

  private boolean contended() {
    return lab.options().scenario().contended();
  }

  private LeaseChecks leaseChecks() {
    return new LeaseChecks(
        new SharedLease(stage.peer().attempts(), stage.peer().holds(), lab.sessions(), terms()),
        requests,
        journal.writes());
  }

  private List<Check> besideOthers() {
    List<Check> checks = new ArrayList<>(leaseChecks().checks());
    Collections.addAll(
        checks,
        Check.nothing("Up is never written", drains().drained().up()),
        Check.nothing("each change of a node was reported once on it", nodeEvents()),
        Check.nothing("nodes are tainted as the signals say", stage.nodes().differences()),
        Check.nothing("nobody is left behind as holder of the shared Lease", lab.leases()));
    return checks;
  }

  /** Whatever becomes of the controller. */
  private List<Check> always(List<String> differences, Report.Arm arm) {
    List<String> inParallel =
        arm.maxInFlightPerLoadBalancer() > 1
            ? List.of(arm.maxInFlightPerLoadBalancer() + " at once")
            : List.of();
    return List.of(
        Check.nothing("every pool equals its wish", differences),
        // Those of a person in the portal may be in flight at any time.
        contended()
            ? Check.nothing("no write cancels another one", journal.cancelling())
            : Check.nothing("one write at a time per load balancer", inParallel),
        Check.nothing("no write that changes nothing", journal.needless()),
        Check.nothing("events in the words of the spec", audit.texts()));
  }

  /** What a controller has not reported before it was killed, it never will. */
  private List<Check> afterKills() {
    return List.of(
        Check.nothing("no failure was reported", audit.failures()),
        Check.nothing("Up is never written", drains().drained().up()),
        Check.nothing("nodes are tainted as the signals say", stage.nodes().differences()),
        Check.nothing("nobody is left behind as holder of the shared Lease", lab.leases()));
  }

  private List<Check> ofOneLife(List<Put> puts) {
    Duration interval = lab.interval();
    boolean fast = lab.options().profile() == LatencyProfile.FAST;
    Duration prompt = fast && PROMPT.compareTo(interval) < 0 ? PROMPT : interval;
    // The longest latency of a request in the simulator.
    Duration onTheWay = fast ? Duration.ofMillis(100) : Duration.ofSeconds(3);
    List<Check> checks = new ArrayList<>();
    Collections.addAll(
        checks,
        Check.nothing("writes of a pool spaced as set", spacing().tooSoon(ofMembers)),
        Check.nothing("no write without a token", lab.pace().tooMany(ofMembers)),
        Check.nothing(
            "no call before ARM takes it",
            new RetryTiming(lab.shortestSpacing(), onTheWay, this::mayDrain).early(requests)),
        Check.nothing("every accepted write was reported once", audit.writes()),
        Check.nothing("every failed attempt was reported once", audit.attempts(contended())),
        Check.nothing(
            "no failure was reported",
            ledger().isByChance() ? audit.premature() : audit.failures()));
    if (!contended()) {
      Collections.addAll(
          checks,
          Check.nothing("retries as many as errors were caused", retries()),
          Check.nothing(
              "no change delayed by another load balancer's lock",
              Propagation.late(ledger().prompt(), puts, prompt)));
    }
    checks.addAll(besideSlowWrites(puts));
    if (ledger().isByChance()) {
      double amplification = storm(puts).amplification();
      List<String> wrong =
          amplification > MOST_WRITES ? List.of("%.2f".formatted(amplification)) : List.of();
      checks.add(Check.nothing("at most %s writes per pool".formatted(MOST_WRITES), wrong));
    }
    // Other writers wipe states, so that pools are written without a signal.
    if (!ledger().signals().isEmpty() && !contended()) {
      checks.addAll(drains().checks());
    }
    return checks;
  }

  /** What ARM does at one load balancer is no excuse at another one. */
  private List<Check> besideSlowWrites(List<Put> puts) {
    if (ledger().beside().isEmpty()) {
      return List.of();
    }
    List<String> late =
        ledger().beside().stream()
            .flatMap(
                beside ->
                    Propagation.late(beside.changes(), puts, beside.limit(), this::busy).stream())
            .toList();
    List<Signal> leaving = ledger().beside().stream().map(Ledger.Beside::leaves).toList();
    LatencyProfile profile = lab.options().profile();
    Duration down = DRAINED.plus(profile.longestRead()).plus(profile.longestWrite());
    return List.of(
        Check.nothing("no change waits for a slow write of another load balancer", late),
        Check.nothing(
            "no drain waits for a slow write of another load balancer",
            drains().drained().late(leaving, down, this::busy)));
  }

  /** Writes of a load balancer, and reads but the one before the write that waited. */
  private long busy(String loadBalancer, long from, long until) {
    long reads =
        requests.stream()
            .filter(ArmRequest::readsPool)
            .filter(read -> loadBalancer.equalsIgnoreCase(read.loadBalancer().orElse("")))
            .filter(read -> read.arrivedNanos() >= from && read.arrivedNanos() < until)
            .count();
    return lab.arm().writingNanos(ArmSeed.id(loadBalancer), from, until)
        + Math.max(0, reads - 1) * lab.options().profile().longestRead().toNanos();
  }

  private Report.Damages damages(List<Put> puts) {
    return new Report.Damages(
        Spread.of(Propagation.repairs(ledger().damages(), puts, true)),
        Spread.of(Propagation.repairs(ledger().damages(), puts, false)));
  }

  private Report.Storm storm(List<Put> puts) {
    int pools = 0;
    for (Spec spec : lab.world().services()) {
      pools += lab.world().isDualStack(spec) ? 2 : 1;
    }
    int writes = (int) requests.stream().filter(ArmRequest::writesPool).count();
    long begin = requests.stream().mapToLong(ArmRequest::arrivedNanos).min().orElse(0);
    long end = puts.stream().mapToLong(Put::acceptedNanos).max().orElse(begin);
    double amplification = Math.round(100.0 * writes / pools) / 100.0;
    return new Report.Storm(pools, writes, amplification, (end - begin) / 1_000_000);
  }
}
