package io.poolkeeper.lab;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/**
 * Closes resources in the reverse order of their opening, each even if another fails or the thread
 * was interrupted.
 */
final class Closings implements AutoCloseable {
  private record Part(String name, AutoCloseable closing) {}

  private final Deque<Part> parts = new ArrayDeque<>();
  private final Consumer<String> out;

  Closings(Consumer<String> out) {
    this.out = out;
  }

  void add(String name, AutoCloseable closing) {
    parts.push(new Part(name, closing));
  }

  @Override
  public void close() {
    boolean interrupted = Thread.interrupted();
    while (!parts.isEmpty()) {
      Part part = parts.pop();
      try {
        part.closing().close();
      } catch (InterruptedException again) {
        interrupted = true;
      } catch (Exception failed) {
        out.accept("could not close " + part.name() + ": " + failed.getMessage());
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
