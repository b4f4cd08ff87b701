package io.poolkeeper.config;

import java.time.Duration;
import java.util.regex.Pattern;

/** Reads the section {@code lock} and checks the rules between its keys. */
record LockSection(Values values) {
  /** The cloud provider's own: with the same identity neither would wait for the other. */
  private static final String PEER = "cloud-controller-manager";

  private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?");
  private static final Pattern IDENTITY =
      Pattern.compile("(?i)(?!" + PEER + "$)[\\x21-\\x7e]{1,128}");
  private static final Duration SHORTEST = Duration.ofMillis(100);
  private static final Duration QUARTER = Duration.ofMinutes(15);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration LONGEST_TAIL = Duration.ofSeconds(10);
  private static final Duration LEAST_YIELD = Duration.ofMillis(50);

  Settings.Lock read() {
    String name = "a name of a Kubernetes object: lower case letters, digits, - and .";
    Duration maxHold = values.duration("lock.max-hold", SHORTEST, Duration.ofMinutes(1));
    return new Settings.Lock(
        values.flag("lock.enabled"),
        values.required("lock.name", NAME, name),
        values.required("lock.namespace", NAME, name),
        values.required(
            "lock.identity", IDENTITY, "a text without blanks, up to 128 characters, not " + PEER),
        values.duration("lock.duration", QUARTER, HOUR),
        maxHold,
        values.duration("lock.max-tail", SHORTEST, LONGEST_TAIL),
        values.duration("lock.yield", LEAST_YIELD, maxHold, "the value of lock.max-hold"),
        values.optionalDuration("lock.drain-wait", SHORTEST, HOUR),
        values.optionalDuration("lock.unreachable-after", SHORTEST, HOUR));
  }
}
