package io.poolkeeper.armsim;

import io.poolkeeper.armsim.journal.Journal;
import io.poolkeeper.armsim.journal.WritesInFlight;
import io.poolkeeper.armsim.model.LoadBalancer;
import io.poolkeeper.model.LoadBalancerId;
import java.util.Map;

/**
 * What any thread may read of a running simulator. Only the actor writes; an answer is sent after
 * its traces are visible here.
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
