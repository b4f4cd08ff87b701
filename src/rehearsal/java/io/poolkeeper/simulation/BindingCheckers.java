package io.poolkeeper.simulation;

import io.poolkeeper.admission.Check;
import io.poolkeeper.simulation.SimCluster.Kind;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Outside authorities that answer the checks of bindings: soon, late, for long not at all, or
 * twice; of the version that they have read, or of whatever there is when they write.
 */
final class BindingCheckers {
  private static final Duration SOON = Duration.ofMillis(100);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private static final Set<String> REFUSED = Set.of("Taken", "NotAllowed");

  private final SimWorld sim;
  private final Chance chance;

  /** Checks whose answer is about to come. */
  private final Set<Asked> asked = new HashSet<>();

  private boolean healed;

  private record Asked(String uid, String check) {}

  BindingCheckers(SimWorld sim, Chance chance) {
    this.sim = sim;
    this.chance = chance;
  }

  /** The checks that a binding waits for. */
  static List<String> required(SimBinding binding, boolean freezes) {
    List<String> listed = binding.spec().checks();
    return freezes ? Stream.concat(listed.stream(), Stream.of("freeze")).toList() : listed;
  }

  /** Whether every check of a binding has said that writes may go. */
  static boolean ready(SimBinding binding, boolean freezes) {
    return !binding.changed()
        && required(binding, freezes).stream()
            .map(name -> binding.check(name).map(Check::state))
            .allMatch(Optional.of(Check.State.READY)::equals);
  }

  /**
   * How a binding is not at rest.
   *
   * @param owns whether it owns its pool: no check of any other is asked
   */
  Optional<String> open(SimBinding binding, boolean owns) {
    if (binding.meta().deleted()) {
      return Optional.of("is still there");
    }
    // A forged status is not written again before there is something else to report.
    Optional<String> said =
        binding.status().report().map(report -> report.ready().reason()).filter(any -> !owns);
    return said.filter(reason -> !REFUSED.contains(reason))
        .map(reason -> "is " + reason)
        .or(
            () ->
                Optional.of("its checks are " + binding.status().checks())
                    .filter(any -> owns && binding.spec().active())
                    .filter(any -> !ready(binding, sim.options.freezes())));
  }

  void changed(Kind kind, String name) {
    SimBinding binding = kind == Kind.BINDING ? sim.cluster.bindings.get(name) : null;
    if (binding == null) {
      return;
    }
    for (Check check : binding.status().checks()) {
      boolean waits = check.state() == Check.State.PENDING || check.state() == Check.State.REJECTED;
      if (waits && asked.add(new Asked(binding.meta().uid(), check.name()))) {
        sim.time.after(patience(), () -> answer(binding, check.name(), true));
      }
    }
  }

  private Duration patience() {
    if (healed) {
      return chance.between(SOON, SECOND);
    }
    return switch (chance.nextInt(10)) {
      case 0 -> {
        sim.mark(RunMark.CHECK_SILENT);
        yield MINUTE.multipliedBy(10);
      }
      case 1, 2 -> chance.between(SECOND.multipliedBy(5), MINUTE.multipliedBy(3));
      default -> chance.between(SOON, SECOND.multipliedBy(5));
    };
  }

  /** Reads the binding, thinks, and writes. */
  private void answer(SimBinding to, String name, boolean first) {
    SimBinding read = sim.cluster.bindings.get(to.name());
    if (read == null || !read.meta().uid().equals(to.meta().uid())) {
      asked.remove(new Asked(to.meta().uid(), name));
      return;
    }
    boolean blind = healed || chance.happens(0.5);
    Duration thinking = chance.between(Duration.ofMillis(5), healed ? SOON : SECOND);
    sim.time.after(thinking, () -> write(read, name, first, blind));
  }

  private void write(SimBinding read, String name, boolean first, boolean blind) {
    SimBinding now = sim.cluster.bindings.get(read.name());
    if (now != null && !blind && now.meta().version() != read.meta().version()) {
      sim.mark(RunMark.CHECK_REFUSED);
      answer(read, name, first);
      return;
    }
    asked.remove(new Asked(read.meta().uid(), name));
    if (now == null || !now.meta().uid().equals(read.meta().uid())) {
      return;
    }
    Optional<Check> before = now.check(name);
    before.ifPresent(check -> sim.bindings.put(now, now.answered(said(check))));
    if (before.isPresent() && !healed && first && chance.happens(0.3)) {
      sim.mark(RunMark.CHECK_ANSWERED_TWICE);
      sim.time.after(chance.between(SOON, MINUTE.multipliedBy(2)), () -> answer(read, name, false));
    }
  }

  private Check said(Check before) {
    int what = healed ? 9 : chance.nextInt(10);
    Check.State state =
        what == 0 ? Check.State.REJECTED : what < 4 ? Check.State.RETRY : Check.State.READY;
    Optional<Integer> delay =
        Optional.of(1 + chance.nextInt(300))
            .filter(any -> state == Check.State.RETRY && chance.happens(0.8));
    return new Check(
        before.name(), state, Optional.of(sim.time.now()), "", delay, before.retryCount());
  }

  /** Checkers that have not answered do so now. */
  void heal() {
    healed = true;
    asked.clear();
    List.copyOf(sim.cluster.bindings.keySet()).forEach(name -> changed(Kind.BINDING, name));
  }
}
