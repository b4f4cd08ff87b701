package io.poolkeeper.simulation;

import io.poolkeeper.turnstile.Lane;
import io.poolkeeper.turnstile.Requester;
import io.poolkeeper.turnstile.TurnstileEffect;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The checker's own account of who waits in one life's turnstile, to hold against what the
 * controller counts: who has a turn asked for it, in that lane, and waited as long as is said.
 */
final class TurnBook {
  private final Map<Requester, Asked> waiting = new HashMap<>();

  /** What somebody waits for, and since when. */
  private record Asked(Lane lane, Instant since) {}

  void asked(Requester visitor, Lane lane, Instant now) {
    waiting.merge(
        visitor, new Asked(lane, now), (old, fresh) -> new Asked(fresh.lane(), old.since()));
  }

  void left(Requester visitor) {
    waiting.remove(visitor);
  }

  /** Says what is wrong with a turn. */
  Optional<String> granted(TurnstileEffect.Grant grant, Instant now) {
    if (!waiting.containsKey(grant.requester())) {
      return Optional.of("has a turn that it did not ask for");
    }
    Asked asked = Objects.requireNonNull(waiting.remove(grant.requester()));
    Duration waited = Duration.between(asked.since(), now);
    boolean limitedInWait = !grant.limited().isNegative() && grant.limited().compareTo(waited) <= 0;
    if (grant.lane() != asked.lane() || !grant.waited().equals(waited) || !limitedInWait) {
      return Optional.of("asked %s ago for %s, and is said: %s".formatted(waited, asked, grant));
    }
    return Optional.empty();
  }

  /** Says what is wrong with the count of retries that wait for the budget. */
  Optional<String> heldBack() {
    return waiting.values().stream().anyMatch(TurnBook::retries)
        ? Optional.empty()
        : Optional.of("counts a retry that is held back, and nobody waits with one");
  }

  private static boolean retries(Asked asked) {
    return asked.lane() == Lane.RETRY || asked.lane() == Lane.REPAIR;
  }
}
