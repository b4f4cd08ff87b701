package io.poolkeeper.simulation;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The world around the process: who else acts there, and what it reaches. */
final class SimWorld extends SimStage {
  final SimLease lease = new SimLease(this);
  final OtherWriters others = new OtherWriters(this, lease);
  final NodeSignals signals = new NodeSignals(this);
  final SimBindings bindings;

  SimWorld(
      SeededSystem system,
      Chance chance,
      SimOptions options,
      Optional<List<Fault>> script,
      Consumer<String> out) {
    super(system, chance, options, script, out);
    long stream = options.bindings().map(SimOptions.Bindings::stream).orElse(0L);
    bindings = new SimBindings(this, Chance.of(stream, "writes"));
  }
}
