package io.poolkeeper.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.simulation.SimCluster.Kind;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The rules about bindings (spec 5), as far as one process could know of them: what carries no mark
 * of the cluster stays as it is, but for its admin state, and nothing without it is added; while a
 * check of the pool's owner holds it, no change of members begins.
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
    store.bindings.values().stream()
        .filter(one -> holds(store, one))
        .forEach(one -> now.add(one.pool()));
    held.keySet().retainAll(now);
    now.forEach(pool -> held.putIfAbsent(pool, sim.time.now()));
  }

  private boolean holds(SimCluster of, SimBinding binding) {
    return SimBinding.owner(of.bindings.values(), binding.pool()).equals(Optional.of(binding))
        && binding.spec().active()
        && !binding.meta().deleted()
        && binding.meta().finalizer()
        && !BindingCheckers.ready(binding, sim.options.freezes());
  }

  /**
   * A process that has ended a hold by its own status write knows that from the answer, though its
   * watch may be cut, and the store that it fills be behind.
   */
  private boolean stillHeld(String pool) {
    return sim.cluster.bindings.values().stream()
        .anyMatch(one -> one.pool().equals(pool) && holds(sim.cluster, one));
  }

  /** A PUT is sent. */
  void writeIsSent(Attempt attempt, JsonNode sent) {
    if (!BindingUsers.bound(attempt.pool)) {
      return;
    }
    String pool = attempt.pool.path();
    Set<String> foreign = entries(attempt.shown, false);
    Set<String> left = entries(sent, false);
    sim.check(
        foreign.equals(left), "%s: of others are %s, written %s".formatted(pool, foreign, left));
    Instant since = held.get(pool);
    if (since != null && ledger.losses().known(since, attempt.from) && stillHeld(pool)) {
      sim.mark(Mark.WRITTEN_BESIDE_A_HOLD);
      sim.check(
          entries(attempt.shown, true).equals(entries(sent, true)),
          "%s: members are written, held since %s".formatted(pool, since));
    }
  }

  /** Name and address of each that carries the mark, or of each that does not. */
  private static Set<String> entries(JsonNode pool, boolean marked) {
    Set<String> found = new TreeSet<>();
    for (JsonNode entry : pool.at("/properties/loadBalancerBackendAddresses")) {
      String name = entry.path("name").asText();
      if (SimBindings.MARK.on(name) == marked) {
        found.add(name + " " + entry.at("/properties/ipAddress").asText());
      }
    }
    return found;
  }
}
