package io.poolkeeper.lab.scenario;

import io.poolkeeper.lab.scenario.Blueprint.Spec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A scenario's own account of the trouble that it made: how often each Service has to be told of a
 * retry, and which changes nothing of it may delay. What is not written down must not happen: who
 * waits because ARM takes no calls is told nothing. Used by one thread.
 */
public final class Ledger {
  private final Map<String, Integer> refused = new TreeMap<>();
  private final List<Change> prompt = new ArrayList<>();
  private boolean chance;

  /** So many attempts fail for the Service at ARM, and each is tried again. */
  void refused(Spec spec, int times) {
    refused.merge(spec.name(), times, Integer::sum);
  }

  /** These changes are written as fast as ever. */
  void prompt(List<Change> changes) {
    prompt.addAll(changes);
  }

  /** Trouble comes by chance from now on: nobody can say beforehand whom it meets. */
  void byChance() {
    chance = true;
  }

  /** Whether retries cannot be foretold, but only be compared with what happened at ARM. */
  public boolean isByChance() {
    return chance;
  }

  /** How often the Service has to be told of a retry, as far as it is written down by now. */
  public int retries(Spec spec) {
    return refused.getOrDefault(spec.name(), 0);
  }

  /** By the name of the Service. */
  public Map<String, Integer> refused() {
    return Map.copyOf(refused);
  }

  /** The changes that the trouble of others must not delay. */
  public List<Change> prompt() {
    return List.copyOf(prompt);
  }
}
