package io.poolkeeper.pool;

import io.poolkeeper.model.ServiceKey;
import java.util.Optional;
import java.util.Set;

/**
 * A Service's ownership of a pool, which makes the Service's operations relevant: an outcome of
 * another Service UID or an older number is ignored.
 *
 * @param number grows with every new assignment of the process
 * @param rulePrefix with which the names of the Service's load-balancing rules begin; empty if the
 *     Service is bound to the pool, whatever its rules
 */
public record Assignment(ServiceKey service, String uid, long number, Optional<String> rulePrefix) {
  public Assignment {
    if (rulePrefix.filter(String::isBlank).isPresent()) {
      throw new IllegalArgumentException(service + ": a blank prefix would own every rule");
    }
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
