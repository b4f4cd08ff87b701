package io.poolkeeper.lab;

import io.poolkeeper.lab.Blueprint.Spec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A scenario's record of the errors that it caused: how many retries must be reported for each
 * Service, and which changes must not be delayed. Other retries must not happen; waiting for ARM is
 * not reported. Used by one thread.
 */
public final class Ledger {
  private final Map<String, Integer> refused = new TreeMap<>();
  private final List<Change> prompt = new ArrayList<>();
  private final List<Change> slow = new ArrayList<>();
  private final List<Damage> damages = new ArrayList<>();
  private final List<Signal> signals = new ArrayList<>();
  private final Map<String, Integer> nodeEvents = new TreeMap<>();
  private final Set<String> left = new HashSet<>();
  private boolean chance;

  /**
   * A pool that another writer has damaged.
   *
   * @param atNanos monotonic, just before its write
   * @param announced whether the other writer has said so
   */
  public record Damage(long atNanos, String pool, boolean announced) {}

  /**
   * Something that happened to nodes or to entries, after which admin states are to be written.
   *
   * @param atNanos monotonic, just before the request that did it
   * @param timed whether it is a signal of the cluster, whose way to ARM is measured
   */
  public record Signal(long atNanos, boolean timed) {}

  /** So many attempts of the Service fail at ARM, and each is retried. */
  void refused(Spec spec, int times) {
    refused.merge(spec.name(), times, Integer::sum);
  }

  /** These changes must not be delayed. */
  void prompt(List<Change> changes) {
    prompt.addAll(changes);
  }

  /** ARM takes long for the writes of these changes, so that nobody measures them. */
  void slow(List<Change> changes) {
    slow.addAll(changes);
  }

  /** The changes for whose own writes ARM takes long. */
  public List<Change> slow() {
    return List.copyOf(slow);
  }

  /** Another writer has damaged a pool. */
  public void damaged(Damage damage) {
    damages.add(damage);
  }

  /** What other writers have damaged. */
  public List<Damage> damages() {
    return List.copyOf(damages);
  }

  /** Nodes or entries have changed so that admin states are to be written. */
  public void signal(Signal signal) {
    signals.add(signal);
  }

  /** All of them, in order of time. */
  public List<Signal> signals() {
    return List.copyOf(signals);
  }

  /** Poolkeeper is to report of a node once more that it is Down, or None again. */
  void reported(String node, boolean down) {
    nodeEvents.merge(node + " LoadBalancerAdminState" + (down ? "Down" : "None"), 1, Integer::sum);
    left.add(node);
  }

  /** The names of all nodes that were out of service. */
  public Set<String> left() {
    return Set.copyOf(left);
  }

  /** How often each reason is to be reported of each node, by node, a space and the reason. */
  public Map<String, Integer> nodeEvents() {
    return Map.copyOf(nodeEvents);
  }

  /** From now on errors are random, so that the Services they meet are unknown. */
  void byChance() {
    chance = true;
  }

  /** Whether errors are random, so that retries can only be compared with the requests at ARM. */
  public boolean isByChance() {
    return chance;
  }

  /** The retries recorded for the Service so far. */
  public int retries(Spec spec) {
    return refused.getOrDefault(spec.name(), 0);
  }

  /** All recorded retries, by the name of the Service. */
  public Map<String, Integer> refused() {
    return Map.copyOf(refused);
  }

  /** The changes that must not be delayed. */
  public List<Change> prompt() {
    return List.copyOf(prompt);
  }
}
