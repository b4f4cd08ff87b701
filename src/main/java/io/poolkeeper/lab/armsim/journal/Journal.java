package io.poolkeeper.lab.armsim.journal;

import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * The newest requests: at most {@value #MAX_ENTRIES}, which together carry at most {@value
 * #MAX_MEMBERS} pool entries. One thread writes, any thread reads.
 */
public final class Journal {
  private static final int MAX_ENTRIES = 200_000;
  private static final int MAX_MEMBERS = 4_000_000;

  private final Deque<ArmLogEntry> entries = new ConcurrentLinkedDeque<>();
  // Of the writing thread.
  private int size;
  private int members;

  /** Appends an entry, dropping the oldest ones beyond the bounds. */
  public void append(ArmLogEntry entry) {
    entries.addLast(entry);
    size++;
    members += weight(entry);
    while (size > 1 && (size > MAX_ENTRIES || members > MAX_MEMBERS)) {
      size--;
      members -= weight(entries.removeFirst());
    }
  }

  /** The entries, oldest first. */
  public List<ArmLogEntry> entries() {
    return List.copyOf(entries);
  }

  /** Forgets everything; for the writing thread. */
  public void clear() {
    entries.clear();
    size = 0;
    members = 0;
  }

  private static int weight(ArmLogEntry entry) {
    return entry.write().map(write -> write.members().size()).orElse(0);
  }
}
