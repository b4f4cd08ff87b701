package io.poolkeeper.trace;

import io.opentelemetry.api.trace.SpanContext;
import io.poolkeeper.model.NodeKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The attempts that have written what a node's signals ask for, until the node's drain ends: its
 * trace links to them. Bounded: what exceeds the bounds is forgotten.
 */
final class DrainLinks {
  /** As many links as OpenTelemetry keeps of a span. */
  private static final int LINKS = 128;

  private static final int NODES = 1_000;

  private final Map<NodeKey, List<SpanContext>> attempts = new ConcurrentHashMap<>();

  /** The attempt has written what these nodes' signals ask for in a pool. */
  void confirmed(Collection<NodeKey> nodes, SpanContext attempt) {
    for (NodeKey node : nodes) {
      if (attempts.size() >= NODES && !attempts.containsKey(node)) {
        attempts.clear();
      }
      attempts.merge(node, List.of(attempt), DrainLinks::joined);
    }
  }

  private static List<SpanContext> joined(List<SpanContext> before, List<SpanContext> more) {
    List<SpanContext> all = new ArrayList<>(before);
    all.addAll(more);
    return all.size() > LINKS ? before : List.copyOf(all);
  }

  List<SpanContext> taken(NodeKey node) {
    return Optional.ofNullable(attempts.remove(node)).orElse(List.of());
  }
}
