package io.poolkeeper.simulation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the cells of one kind went through in a run, each its own steps in their order. */
final class Histories<C, S> {
  private final Map<C, List<S>> steps = new LinkedHashMap<>();

  void add(C cell, S step) {
    steps.computeIfAbsent(cell, any -> new ArrayList<>()).add(step);
  }

  /** The cell that has been through most. */
  C longest() {
    return steps.keySet().stream()
        .max(Comparator.comparingInt(cell -> of(cell).size()))
        .orElseThrow();
  }

  List<S> of(C cell) {
    return steps.getOrDefault(cell, List.of());
  }
}
