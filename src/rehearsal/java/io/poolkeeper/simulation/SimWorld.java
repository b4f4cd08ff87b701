package io.poolkeeper.simulation;

import io.poolkeeper.model.LoadBalancerId;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What all parts of one run share: time, chance, the cluster, ARM, who else writes to them, the
 * process that lives, and what the run has met.
 */
final class SimWorld {
  final SeededSystem system;
  final Chance chance;
  final SimOptions options;
  final VirtualTime time;
  final Trace trace;
  final SimCluster cluster = new SimCluster();
  final ArmFaults faults;
  final SimArm arm;
  final SimLease lease;
  final OtherWriters others;
  final NodeSignals signals;
  final SimBindings bindings;
  final Map<RunMark, Integer> marks = new EnumMap<>(RunMark.class);

  /** The process that lives; empty between two. */
  Optional<SimProcess> process = Optional.empty();

  /** How long things were wrong. */
  Figures figures = Figures.NONE;

  private Optional<Violation> first = Optional.empty();

  /** A rule is broken. */
  static final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Violation(String message) {
      super(message);
    }
  }

  SimWorld(
      SeededSystem system,
      Chance chance,
      SimOptions options,
      Optional<List<Fault>> script,
      Consumer<String> out) {
    this.system = system;
    this.chance = chance;
    this.options = options;
    time = new VirtualTime(chance, options.failures().lateness());
    trace = new Trace(time, out);
    faults = new ArmFaults(time, chance, options, script);
    arm = new SimArm(time, chance, options, faults);
    system.enter(time);
    lease = new SimLease(this);
    others = new OtherWriters(this);
    signals = new NodeSignals(this);
    long stream = options.bindings().map(SimOptions.Bindings::stream).orElse(0L);
    bindings = new SimBindings(this, Chance.of(stream, "writes"));
  }

  void mark(RunMark mark) {
    marks.merge(mark, 1, Integer::sum);
  }

  boolean met(RunMark mark) {
    return marks.containsKey(mark);
  }

  /** Ends the run after this step. */
  Violation broken(String how) {
    trace.say("VIOLATED " + how);
    Violation violation = new Violation(how);
    first = first.or(() -> Optional.of(violation));
    return violation;
  }

  void check(boolean holds, String how) {
    if (!holds) {
      throw broken(how);
    }
  }

  /** Somebody else wrote to a load balancer. */
  void othersWrote(LoadBalancerId balancer) {
    process.ifPresent(one -> one.ledger.unresolved.othersWrote(balancer));
  }

  /** Whether every actor must have heard of what happened then. */
  boolean mustKnow(Instant happened, Instant at) {
    Instant thaw = time.frozenUntil();
    Instant awake = thaw.isAfter(happened) ? thaw : happened;
    return at.isAfter(awake.plus(options.slack()));
  }

  Optional<Violation> firstViolation() {
    return first;
  }
}
