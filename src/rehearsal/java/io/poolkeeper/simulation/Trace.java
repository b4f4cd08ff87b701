package io.poolkeeper.simulation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * The trace of one simulated run: a line for each event, with the virtual time in microseconds. A
 * consumer receives every line; the last {@value #TAIL} are kept for the report of a violation, and
 * a hash of all, by which two runs are compared.
 */
final class Trace {
  private static final int TAIL = 200;

  private final VirtualTime time;
  private final Consumer<String> out;
  private final Deque<String> tail = new ArrayDeque<>();
  private long hash;

  Trace(VirtualTime time, Consumer<String> out) {
    this.time = time;
    this.out = out;
  }

  void say(String what) {
    String line = time.elapsed().toNanos() / 1_000 + " " + what;
    hash = 31 * hash + line.hashCode();
    tail.addLast(line);
    if (tail.size() > TAIL) {
      tail.removeFirst();
    }
    out.accept(line);
  }

  List<String> tail() {
    return List.copyOf(tail);
  }

  /** Equal for equal traces. */
  long hash() {
    return hash;
  }
}
