package io.poolkeeper.lab.report;

import java.util.List;

/**
 * One thing that had to be true.
 *
 * @param detail what was found; empty if there is nothing to say
 */
public record Check(String name, boolean passed, String detail) {
  /** Passed if nothing is wrong; the first few wrongs are the detail. */
  public static Check nothing(String name, List<String> wrong) {
    String detail = String.join("; ", wrong.subList(0, Math.min(5, wrong.size())));
    return new Check(name, wrong.isEmpty(), detail);
  }
}
