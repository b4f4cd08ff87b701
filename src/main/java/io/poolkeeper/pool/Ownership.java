package io.poolkeeper.pool;

import io.poolkeeper.model.ServiceKey;
import java.util.Optional;
import java.util.Set;

/**
 * A Service's ownership of a pool, and what the Service wants there. An operation belongs to the
 * ownership under whose number it was queued; under another number it is ignored.
 *
 * @param uid of the Service; empty if the Service does not exist
 * @param number grows with every new ownership of the process; a new level keeps it
 * @param rulePrefix with which the names of the Service's load-balancing rules begin; empty if the
 *     Service is bound to the pool, whatever its rules
 */
public record Ownership(
    ServiceKey service, String uid, long number, Optional<String> rulePrefix, Level level) {
  public Ownership {
    if (rulePrefix.filter(String::isBlank).isPresent()) {
      throw new IllegalArgumentException(service + ": a blank prefix would own every rule");
    }
  }

  /** Whether both own the pool for the same reason, whatever is wanted there. */
  public boolean continues(Ownership other) {
    return uid.equals(other.uid) && rulePrefix.equals(other.rulePrefix);
  }

  public Ownership numbered(long next) {
    return new Ownership(service, uid, next, rulePrefix, level);
  }

  public Ownership wanting(Level next) {
    return new Ownership(service, uid, number, rulePrefix, next);
  }

  /** Whether the pool of these rules is still the Service's. */
  public boolean holds(Set<String> rules) {
    return rulePrefix.map(prefix -> owns(prefix, rules)).orElse(true);
  }

  /**
   * Whether one of the rules is the Service's: its prefix, ignoring case, up to a dash or the end.
   */
  public static boolean owns(String rulePrefix, Set<String> rules) {
    int length = rulePrefix.length();
    return rules.stream()
        .anyMatch(
            rule ->
                rule.regionMatches(true, 0, rulePrefix, 0, length)
                    && (rule.length() == length || rule.charAt(length) == '-'));
  }
}
