package io.poolkeeper.judge;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * The cloud provider's complaints that it cannot have the Lease, by Service: members leave the
 * Lease free around its next try, which comes after 5 s, doubling to 5 min, until it has written.
 */
public final class Complaints {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration FIRST = SECOND.multipliedBy(5);
  private static final Duration LAST = Duration.ofMinutes(5);

  private final Excuses excuses;
  private final Duration maxTail;
  private final Map<String, Duration> pauses = new HashMap<>();
  private final Map<String, Instant> until = new HashMap<>();

  Complaints(Excuses excuses, Duration maxTail) {
    this.excuses = excuses;
    this.maxTail = maxTail;
  }

  /** Its event of a failed try arrives. */
  public void complained(String service, Instant now) {
    if (!now.isBefore(until.getOrDefault(service, Instant.MIN))) {
      pauses.remove(service);
    }
    Duration pause =
        pauses.merge(service, FIRST, (old, any) -> Documented.shorter(old.multipliedBy(2), LAST));
    until.put(service, now.plus(LAST).plus(pause));
    Instant next = now.plus(pause);
    excuses.span(
        "we yield to the cloud provider",
        next.minus(SECOND).minus(maxTail),
        next.plus(SECOND.multipliedBy(2)),
        Waiting::members);
  }

  /** Its event that it has written arrives. */
  public void content(String service) {
    pauses.remove(service);
    until.remove(service);
  }
}
