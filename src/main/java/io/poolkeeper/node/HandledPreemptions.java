package io.poolkeeper.node;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The preemptions that a node was tainted for, newest last: the value of its annotation {@value
 * #ANNOTATION}. A preemption that is in it never taints this node again, so that an operator's
 * clearing lasts (decision 0016).
 */
public record HandledPreemptions(List<String> ids) {
  public static final String ANNOTATION = "poolkeeper.io/preemption-handled";

  /** Stands for a preemption that names itself in no way. */
  static final String STARTED = "started";

  /** Two ids for each preemption, and several of them. */
  private static final int MOST = 8;

  private static final String BETWEEN = "; ";

  public HandledPreemptions {
    ids = List.copyOf(ids);
  }

  /** What an annotation says; nothing if it is empty. */
  public static HandledPreemptions of(String annotation) {
    return new HandledPreemptions(
        Stream.of(annotation.split(";", -1))
            .map(String::strip)
            .filter(id -> !id.isEmpty())
            .toList());
  }

  public boolean any(Collection<String> some) {
    return some.stream().anyMatch(ids::contains);
  }

  /** These and more; the oldest are dropped if they are too many. */
  public HandledPreemptions with(Collection<String> more) {
    Set<String> all = new LinkedHashSet<>(ids);
    all.addAll(more);
    List<String> list = new ArrayList<>(all);
    return new HandledPreemptions(list.subList(Math.max(0, list.size() - MOST), list.size()));
  }

  /** As the value of the annotation. */
  public String text() {
    return String.join(BETWEEN, ids);
  }
}
