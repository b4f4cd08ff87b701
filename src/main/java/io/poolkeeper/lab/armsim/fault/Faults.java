package io.poolkeeper.lab.armsim.fault;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The rules in force, at most {@value #LIMIT}. The oldest one that matches a request applies. */
public final class Faults {
  private static final int LIMIT = 1_000;

  private final Map<Long, Armed> rules = new LinkedHashMap<>();
  private long lastId;

  /** A rule and how many requests it still applies to. */
  private record Armed(FaultRule rule, long left) {}

  /** Puts a rule in force and returns its id; empty if there are too many. */
  public Optional<Long> add(FaultRule rule) {
    if (rules.size() >= LIMIT) {
      return Optional.empty();
    }
    lastId++;
    rules.put(lastId, new Armed(rule, rule.times().orElse(Long.MAX_VALUE)));
    return Optional.of(lastId);
  }

  /** Lifts one rule; says whether there was one. */
  public boolean remove(long id) {
    return rules.remove(id) != null;
  }

  public void clear() {
    rules.clear();
  }

  /** The rule that applies to a request, which is counted. */
  public Optional<FaultRule> take(String method, String path) {
    for (Iterator<Map.Entry<Long, Armed>> each = rules.entrySet().iterator(); each.hasNext(); ) {
      Map.Entry<Long, Armed> entry = each.next();
      Armed armed = entry.getValue();
      if (armed.rule.matches(method, path)) {
        if (armed.left == 1) {
          each.remove();
        } else {
          entry.setValue(new Armed(armed.rule, armed.left - 1));
        }
        return Optional.of(armed.rule);
      }
    }
    return Optional.empty();
  }
}
