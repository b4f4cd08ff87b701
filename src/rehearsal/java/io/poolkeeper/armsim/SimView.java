package io.poolkeeper.armsim;

import io.poolkeeper.armsim.model.ResourceMap;
import io.poolkeeper.model.LoadBalancerId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.LongFunction;

/**
 * The part of a running simulator that any thread may read. Only the actor writes; the effects of a
 * call are visible here before its answer is sent.
 */
final class SimView {
  final Journal journal = new Journal();
  final WritesInFlight writes = new WritesInFlight();

  /** Immutable. */
  volatile ResourceMap resources = ResourceMap.empty();

  /**
   * Counts the writes in flight per load balancer, and their maximum. A write is in flight from its
   * arrival until it is refused or its operation has ended. One thread writes, any thread may read
   * the maximum.
   */
  public static final class WritesInFlight {
    private final Map<LoadBalancerId, Integer> now = new HashMap<>();
    private volatile int max;

    public void enter(LoadBalancerId id) {
      max = Math.max(max, now.merge(id, 1, Integer::sum));
    }

    /** A write was refused, or its operation ended. */
    public void leave(LoadBalancerId id) {
      now.computeIfPresent(id, (key, count) -> count == 1 ? null : count - 1);
    }

    public int max() {
      return max;
    }

    public void clear() {
      now.clear();
      max = 0;
    }
  }

  /**
   * The newest requests: at most {@value #MAX_ENTRIES}, with at most {@value #MAX_MEMBERS} pool
   * entries in total. One thread writes, any thread reads.
   */
  public static final class Journal {
    private static final int MAX_ENTRIES = 200_000;
    private static final int MAX_MEMBERS = 4_000_000;

    private final Deque<ArmLogEntry> entries = new ConcurrentLinkedDeque<>();
    // Used by the writing thread only.
    private int size;
    private int members;
    private long last;

    /** Appends the entry for the next number, dropping the oldest ones beyond the bounds. */
    public void append(LongFunction<ArmLogEntry> numbered) {
      last++;
      ArmLogEntry entry = numbered.apply(last);
      entries.addLast(entry);
      size++;
      members += weight(entry);
      while (size > 1 && (size > MAX_ENTRIES || members > MAX_MEMBERS)) {
        size--;
        members -= weight(entries.removeFirst());
      }
    }

    public List<ArmLogEntry> entries() {
      return List.copyOf(entries);
    }

    /** The entries after the one with the given number, oldest first. */
    public List<ArmLogEntry> since(long number) {
      List<ArmLogEntry> newest = new ArrayList<>();
      for (Iterator<ArmLogEntry> each = entries.descendingIterator(); each.hasNext(); ) {
        ArmLogEntry entry = each.next();
        if (entry.number() <= number) {
          break;
        }
        newest.add(entry);
      }
      Collections.reverse(newest);
      return newest;
    }

    /** Clears everything but the count; for the writing thread. */
    public void clear() {
      entries.clear();
      size = 0;
      members = 0;
    }

    private static int weight(ArmLogEntry entry) {
      return entry.write().map(write -> write.members().size()).orElse(0);
    }
  }
}
