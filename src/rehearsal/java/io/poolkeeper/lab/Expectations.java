package io.poolkeeper.lab;

import io.poolkeeper.lab.Blueprint.Spec;
import io.poolkeeper.model.PoolId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A scenario's record of what it caused, and so of what must be reported or must not be delayed.
 * Other retries than these must not happen; waiting for ARM is not reported. Used by one thread.
 */
final class Expectations {
  /** The attempts that fail at ARM, each of which is retried, by the name of the Service. */
  final Map<String, Integer> refused = new TreeMap<>();

  /** The changes that must not be delayed. */
  final List<Change> prompt = new ArrayList<>();

  /** The changes for whose own writes ARM takes long, so that nobody measures them. */
  final List<Change> slow = new ArrayList<>();

  final List<Damage> damages = new ArrayList<>();

  /** In order of time. */
  final List<Signal> signals = new ArrayList<>();

  /** How often each reason is to be reported of each node, by node, a space and the reason. */
  final Map<String, Integer> nodeEvents = new TreeMap<>();

  /** The names of all nodes that were out of service. */
  final Set<String> left = new HashSet<>();

  /**
   * Whether errors are random, so that the Services they meet are unknown, and retries can only be
   * compared with the requests at ARM.
   */
  boolean byChance;

  /**
   * A pool that another writer has damaged.
   *
   * @param atNanos monotonic, just before its write
   * @param announced whether the other writer has said so
   */
  record Damage(long atNanos, PoolId pool, boolean announced) {}

  /**
   * Something that happened to nodes or to entries, after which admin states are to be written.
   *
   * @param atNanos monotonic, just before the request that did it
   * @param timed whether it is a signal of the cluster, whose way to ARM is measured
   */
  record Signal(long atNanos, boolean timed) {}

  void refused(Spec spec, int times) {
    refused.merge(spec.name(), times, Integer::sum);
  }

  /** Poolkeeper is to report of a node once more that it is Down, or None again. */
  void reported(String node, boolean down) {
    nodeEvents.merge(node + " LoadBalancerAdminState" + (down ? "Down" : "None"), 1, Integer::sum);
    left.add(node);
  }
}
