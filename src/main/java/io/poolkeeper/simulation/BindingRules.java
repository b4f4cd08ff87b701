package io.poolkeeper.simulation;

import io.poolkeeper.admission.Ownership;
import io.poolkeeper.simulation.SimCluster.Kind;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The rules about bindings (spec 5), as far as one process could know of them: while a check holds
 * a binding, no change of members of its pool begins, but for the removals of a binding that is
 * deleted; what others have put into a shared pool stays; nothing is added that is not recorded.
 */
final class BindingRules {
  private final SimWorld sim;
  private final Ledger ledger;
  private final SimCluster store;

  /** Since when a pool is held, by its path. */
  private final Map<String, Instant> held = new HashMap<>();

  BindingRules(SimWorld sim, Ledger ledger, SimCluster store) {
    this.sim = sim;
    this.ledger = ledger;
    this.store = store;
    store.watch(this::changed);
  }

  private void changed(Kind kind, String name) {
    if (kind != Kind.BINDING) {
      return;
    }
    Set<String> now = new TreeSet<>();
    store.bindings.values().stream().filter(this::holds).forEach(one -> now.add(one.pool()));
    held.keySet().retainAll(now);
    now.forEach(pool -> held.putIfAbsent(pool, sim.time.now()));
    ledger.waits().held(now);
  }

  private boolean holds(SimBinding binding) {
    boolean mirrored = binding.spec().target().ownership() == Ownership.MIRRORED;
    return binding.spec().active()
        && !binding.meta().deleted()
        && (mirrored || binding.meta().finalizer())
        && !BindingCheckers.ready(binding, sim.options.freezes());
  }

  /** A PUT is sent. */
  void writeIsSent(Attempt attempt, Set<String> sent) {
    Set<String> added = new TreeSet<>(sent);
    added.removeAll(attempt.read.keySet());
    Set<String> removed = new TreeSet<>(attempt.read.keySet());
    removed.removeAll(sent);
    String pool = attempt.pool.path();
    Instant since = held.get(pool);
    if (since != null && ledger.losses().known(since, attempt.from)) {
      sim.mark(Mark.WRITTEN_BESIDE_A_HOLD);
      Set<String> left = new TreeSet<>(removed);
      left.removeAll(recorded(pool, true));
      sim.check(
          added.isEmpty() && left.isEmpty(),
          "%s: adds %s, removes %s, held since %s".formatted(pool, added, left, since));
    }
    if (!BindingUsers.bound(attempt.pool)) {
      return;
    }
    added.removeAll(recorded(pool, false));
    sim.check(added.isEmpty(), "%s: adds %s without a record".formatted(pool, added));
    removed.retainAll(attempt.pool.equals(BindingUsers.shared()) ? BindingUsers.FOREIGN : Set.of());
    sim.check(removed.isEmpty(), "%s: removes %s of others".formatted(pool, removed));
  }

  /** What the bindings of a pool have recorded at the API server. */
  private Set<String> recorded(String pool, boolean deleted) {
    Set<String> all = new TreeSet<>();
    sim.cluster.bindings.values().stream()
        .filter(one -> one.pool().equals(pool) && (one.meta().deleted() || !deleted))
        .forEach(one -> all.addAll(SimBindings.texts(one.status().added())));
    return all;
  }
}
