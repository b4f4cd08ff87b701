package io.poolkeeper.node;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The preemptions for which a node was tainted, newest last: the value of its annotation {@value
 * #ANNOTATION}. None of them taints the node again, so that an operator's removal of the taint
 * lasts (decision 0016).
 */
public record HandledPreemptions(List<String> ids) {
  public static final String ANNOTATION = "poolkeeper.io/preemption-handled";

  /** The id of a preemption whose notice has no id. */
  static final String STARTED = "started";

  /** Enough for several preemptions of two ids each. */
  private static final int MOST = 8;

  public HandledPreemptions {
    ids = List.copyOf(ids);
  }

  /** The preemptions that the value of an annotation names; none if it is empty. */
  public static HandledPreemptions of(String annotation) {
    return new HandledPreemptions(
        Stream.of(annotation.split(";", -1))
            .map(String::strip)
            .filter(id -> !id.isEmpty())
            .toList());
  }

  public boolean containsAny(Collection<String> others) {
    return others.stream().anyMatch(ids::contains);
  }

  /** Adds preemptions; the oldest are dropped if there are too many. */
  public HandledPreemptions with(Collection<String> more) {
    Set<String> recorded = new LinkedHashSet<>(ids);
    recorded.addAll(more);
    int dropped = Math.max(0, recorded.size() - MOST);
    return new HandledPreemptions(recorded.stream().skip(dropped).toList());
  }

  /** The value of the annotation. */
  public String text() {
    return String.join("; ", ids);
  }
}
