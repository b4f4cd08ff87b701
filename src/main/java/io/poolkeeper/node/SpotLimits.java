package io.poolkeeper.node;

import io.poolkeeper.model.Range;
import io.poolkeeper.node.NodeEvent.Preempted;
import java.util.List;
import java.util.Optional;

/**
 * Which announced evictions taint their nodes, and how many may at once (decisions 20 and 22).
 *
 * @param enabled whether an eviction taints its node
 * @param eventMessages the beginnings of the messages of events that announce an eviction; {@code
 *     *} alone stands for all messages but known false alarms
 * @param eventNamespaces the only namespaces whose events count
 * @param eventSources the only components whose events count; empty for any
 * @param maxTainted the share of all nodes, in thousandths, that may be tainted for evictions which
 *     no condition confirms; one node always may
 */
public record SpotLimits(
    boolean enabled,
    List<String> eventMessages,
    List<String> eventNamespaces,
    List<String> eventSources,
    int maxTainted) {
  public static final Range<Integer> MAX_TAINTED = new Range<>(1, 1_000);

  /** Why an event about a node that exists does not count. */
  public enum Refusal {
    NAMESPACE,
    SOURCE,
    MESSAGE
  }

  public SpotLimits {
    eventMessages = List.copyOf(eventMessages);
    eventNamespaces = List.copyOf(eventNamespaces);
    eventSources = List.copyOf(eventSources);
    MAX_TAINTED.check("max-tainted", maxTainted);
  }

  /** Why an event of such origin does not count, whatever it says; empty if it may. */
  Optional<Refusal> refusal(Preempted event) {
    // An event in a trusted namespace about an object of another one is not believed, either.
    boolean trusted =
        eventNamespaces.contains(event.origin().namespace()) && event.origin().aboutItself();
    if (!trusted) {
      return Optional.of(Refusal.NAMESPACE);
    }
    return eventSources.isEmpty() || eventSources.contains(event.origin().source())
        ? Optional.empty()
        : Optional.of(Refusal.SOURCE);
  }

  /** How many of these nodes may be tainted at once for evictions that no condition confirms. */
  int mostTainted(int nodes) {
    return Math.toIntExact(Math.max(1L, (long) nodes * maxTainted / 1_000));
  }
}
