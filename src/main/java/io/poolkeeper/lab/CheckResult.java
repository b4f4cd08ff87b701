package io.poolkeeper.lab;

import java.util.List;

/**
 * One check of a rehearsal.
 *
 * @param detail what was found; may be empty
 */
public record CheckResult(String name, boolean passed, String detail) {
  /** Passes if the list is empty; its first few elements are the detail. */
  public static CheckResult nothing(String name, List<String> wrong) {
    String detail = String.join("; ", wrong.subList(0, Math.min(5, wrong.size())));
    return new CheckResult(name, wrong.isEmpty(), detail);
  }
}
