package io.poolkeeper.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.simulation.SimCluster.Kind;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The rule about bindings (spec 5), as far as one process could know of them: while a check of the
 * pool's owner holds it, no change of members begins.
 */
final class BindingRules {
  private final SimWorld sim;
  private final SimCluster store;

  /** Since when a pool is held, by its path. */
  private final Map<String, Instant> held = new HashMap<>();

  /** The answers to the process's own writes, by name: its watch may be cut. */
  private final Map<String, SimBinding> answered = new HashMap<>();

  BindingRules(SimWorld sim, SimCluster store) {
    this.sim = sim;
    this.store = store;
    store.watch(this::changed);
  }

  private void changed(Kind kind, String name) {
    if (kind != Kind.BINDING) {
      return;
    }
    List<SimBinding> known = store.bindings.values().stream().map(this::newest).toList();
    Set<String> now = new TreeSet<>();
    known.stream().filter(one -> holds(known, one)).forEach(one -> now.add(one.pool()));
    held.keySet().retainAll(now);
    now.forEach(pool -> held.putIfAbsent(pool, sim.time.now()));
  }

  /** A write of the process was accepted, and the answer shows the binding. */
  void accepted(SimBinding binding) {
    answered.put(binding.name(), binding);
    changed(Kind.BINDING, binding.name());
  }

  private SimBinding newest(SimBinding stored) {
    SimBinding answer = answered.getOrDefault(stored.name(), stored);
    return answer.meta().version() > stored.meta().version() ? answer : stored;
  }

  private boolean holds(List<SimBinding> known, SimBinding binding) {
    return SimBinding.owner(known, binding.pool()).equals(Optional.of(binding))
        && binding.spec().active()
        && !binding.meta().deleted()
        && binding.meta().finalizer()
        && !BindingCheckers.ready(binding, sim.options.freezes());
  }

  /** A PUT is sent. */
  void writeIsSent(Attempt attempt, JsonNode sent) {
    if (!BindingUsers.bound(attempt.pool)) {
      return;
    }
    String pool = attempt.pool.path();
    Instant since = held.get(pool);
    if (since != null && sim.mustKnow(since, attempt.from)) {
      sim.mark(RunMark.WRITTEN_BESIDE_A_HOLD);
      sim.check(
          entries(attempt.shown).equals(entries(sent)),
          "%s: members are written, held since %s".formatted(pool, since));
    }
  }

  /** Name and address of each entry that carries the mark. */
  private static Set<String> entries(JsonNode pool) {
    Set<String> found = new TreeSet<>();
    for (JsonNode entry : pool.at("/properties/loadBalancerBackendAddresses")) {
      String name = entry.path("name").asText();
      if (SimBindings.MARK.on(name)) {
        found.add(name + " " + entry.at("/properties/ipAddress").asText());
      }
    }
    return found;
  }
}
