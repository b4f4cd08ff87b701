package io.poolkeeper.lab.scenario;

import java.util.Map;

/**
 * Something that happened to nodes or to entries, after which admin states are to be written.
 *
 * @param atNanos monotonic, just before the request that did it
 * @param what happened
 * @param timed whether it is a signal of the cluster, whose way to ARM is measured
 * @param pools the pools that are to be written, as {@code loadBalancer/pool} in lower case, and
 *     how often at most: once per node, as nodes are signalled one after the other
 */
public record Signal(long atNanos, String what, boolean timed, Map<String, Integer> pools) {
  public Signal {
    pools = Map.copyOf(pools);
  }
}
