package io.poolkeeper.config;

import io.poolkeeper.lock.LockLimits;
import io.poolkeeper.model.Range;
import java.time.Duration;
import java.util.regex.Pattern;

/** Reads the section {@code lock} and checks the rules between its keys. */
record LockSection(Values values) {
  /** The cloud provider's identity: with the same one, neither would wait for the other. */
  private static final String CLOUD_PROVIDER = "cloud-controller-manager";

  private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?");
  private static final Pattern IDENTITY =
      Pattern.compile("(?i)(?!" + CLOUD_PROVIDER + "$)[\\x21-\\x7e]{1,128}");
  private static final Range<Duration> DURATION =
      new Range<>(Duration.ofMinutes(15), Duration.ofHours(1));
  private static final Range<Duration> WAIT =
      new Range<>(Duration.ofMillis(100), Duration.ofHours(1));

  Settings.Lock read() {
    String name = "a name of a Kubernetes object: lower case letters, digits, - and .";
    var maxHold = values.duration("lock.max-hold", LockLimits.MAX_HOLD);
    return new Settings.Lock(
        values.flag("lock.enabled"),
        values.required("lock.name", NAME, name),
        values.required("lock.namespace", NAME, name),
        values.required(
            "lock.identity",
            IDENTITY,
            "a text without blanks, up to 128 characters, not " + CLOUD_PROVIDER),
        values.duration("lock.duration", DURATION),
        new LockLimits(
            maxHold,
            values.duration("lock.max-tail", LockLimits.MAX_TAIL),
            values.duration(
                "lock.yield", LockLimits.yieldRange(maxHold), "the value of lock.max-hold")),
        values.optional("lock.drain-wait", key -> values.duration(key, WAIT)),
        values.optional("lock.unreachable-after", key -> values.duration(key, WAIT)));
  }
}
