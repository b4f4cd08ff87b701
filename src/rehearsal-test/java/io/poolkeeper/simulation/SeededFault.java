package io.poolkeeper.simulation;

import java.util.List;
import java.util.stream.Stream;

/**
 * A fault that is put into the program to see whether the simulator finds it (docs/simulation.md,
 * "Does it find faults?"): something around a core or a port, or, where that cannot say it, a
 * mutation of a condition.
 *
 * @param parts what is around the parts of the program
 * @param mutations of its classes, of which one may need the one before
 */
record SeededFault(String name, Parts parts, List<Mutation> mutations) {
  /** No fault at all. */
  static final SeededFault NONE = new SeededFault("none", Parts.PLAIN);

  SeededFault(String name, Parts around) {
    this(name, around, List.of());
  }

  SeededFault(String name, Mutation... mutations) {
    this(name, Parts.PLAIN, List.of(mutations));
  }

  static Stream<SeededFault> all() {
    return Stream.of(
            FaultsOfPools.QUEUES,
            FaultsOfPools.ATTEMPTS,
            FaultsOfPools.DRAINS,
            FaultsOfWrites.ALL,
            FaultsOfPermits.PERMITS,
            FaultsOfPermits.LEASE,
            FaultsOfServices.SERVICES,
            FaultsOfServices.BINDINGS,
            FaultsOfServices.SHOWN,
            FaultsOfNodes.ALL)
        .flatMap(List::stream);
  }

  /** The search for it, in a program that has it. */
  FaultSearch search() throws ReflectiveOperationException {
    return mutations.isEmpty() ? new FaultSearch.InProgram(parts) : new Mutant(mutations).search();
  }

  @Override
  public String toString() {
    return name;
  }
}
