package io.poolkeeper.simulation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * What happened, a line each, after its time in microseconds: all of it for who wants it, and the
 * last {@value #TAIL} for all.
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
