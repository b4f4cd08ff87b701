package io.poolkeeper.armsim;

import io.poolkeeper.armsim.journal.Journal;
import io.poolkeeper.armsim.journal.WritesInFlight;
import io.poolkeeper.armsim.resource.ResourceMap;

/**
 * The part of a running simulator that any thread may read. Only the actor writes; the effects of a
 * call are visible here before its answer is sent.
 */
final class SimView {
  final Journal journal = new Journal();
  final WritesInFlight writes = new WritesInFlight();
  private volatile ResourceMap resources = ResourceMap.empty();

  ResourceMap resources() {
    return resources;
  }

  void publish(ResourceMap immutable) {
    resources = immutable;
  }
}
