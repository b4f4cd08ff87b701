package io.poolkeeper.armsim;

import io.poolkeeper.armsim.journal.Journal;
import io.poolkeeper.armsim.journal.WritesInFlight;
import io.poolkeeper.armsim.model.LoadBalancer;
import io.poolkeeper.model.LoadBalancerId;
import java.util.Map;

/**
 * The part of a running simulator that any thread may read. Only the actor writes; the effects of a
 * call are visible here before its answer is sent.
 */
final class SimView {
  final Journal journal = new Journal();
  final WritesInFlight writes = new WritesInFlight();
  private volatile Map<LoadBalancerId, LoadBalancer> balancers = Map.of();

  Map<LoadBalancerId, LoadBalancer> balancers() {
    return balancers;
  }

  void publish(Map<LoadBalancerId, LoadBalancer> immutable) {
    balancers = immutable;
  }
}
