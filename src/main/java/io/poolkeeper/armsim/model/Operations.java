package io.poolkeeper.armsim.model;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The newest operations, at most {@value #LIMIT} beside those still running. */
final class Operations {
  private static final int LIMIT = 20_000;

  private final Map<String, Operation> byId = new LinkedHashMap<>();

  Optional<Operation> find(String id) {
    return Optional.ofNullable(byId.get(id));
  }

  void put(Operation operation) {
    byId.put(operation.id(), operation);
    Iterator<Operation> eldest = byId.values().iterator();
    for (int over = byId.size() - LIMIT; over > 0 && eldest.hasNext(); ) {
      if (!eldest.next().running()) {
        eldest.remove();
        over--;
      }
    }
  }

  List<Operation> all() {
    return List.copyOf(byId.values());
  }

  List<String> running() {
    return byId.values().stream().filter(Operation::running).map(Operation::id).toList();
  }
}
