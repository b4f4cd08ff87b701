package io.poolkeeper.lock;

import io.poolkeeper.core.Core;
import io.poolkeeper.core.Decision;
import io.poolkeeper.lock.Leadership.Leading;
import io.poolkeeper.lock.Leadership.Over;
import io.poolkeeper.lock.Leadership.Standby;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The policy of the leadership (spec 4). Other replicas may take a Lease when its lease duration
 * has passed since they saw the last renewal. This replica begins no write when the shorter renew
 * deadline has passed since that renewal was sent. So two replicas never write at once, whatever
 * the clocks of the machines say.
 *
 * @param renewDeadline shorter than the lease duration
 */
public record LeadershipCore(Duration renewDeadline)
    implements Core<Leadership, LeadershipCore.Event, LeadershipCore.Effect> {
  public sealed interface Event {
    /**
     * The API server accepted a renewal of our Lease, the first one included.
     *
     * @param sentAt when the renewal was sent, not when it was answered; monotonic
     */
    record Renewed(Instant sentAt) implements Event {}

    /** The election is over for this process. */
    record Ended(String why) implements Event {}

    record TimerDue() implements Event {}
  }

  public sealed interface Effect {
    /** Begin to act; at most once. */
    record Lead() implements Effect {}

    /** End the process; at most once. */
    record Resign(String why) implements Effect {}
  }

  /** Deterministic: {@code random} is not used. */
  @Override
  public Decision<Leadership, Effect> decide(
      Leadership state, Event event, Instant now, RandomGenerator random) {
    return switch (event) {
      case Event.Renewed renewed -> renewed(state, renewed.sentAt(), now);
      case Event.Ended ended -> resign(state, ended.why());
      case Event.TimerDue due -> expired(state, now);
    };
  }

  private Decision<Leadership, Effect> renewed(Leadership state, Instant sentAt, Instant now) {
    Instant until = sentAt.plus(renewDeadline);
    return switch (state) {
      case Standby standby ->
          now.isBefore(until)
              ? Decision.of(standby.lead(until), new Effect.Lead())
              : Decision.of(standby);
      case Leading leading -> Decision.of(leading.renewed(until));
      case Over over -> Decision.of(over);
    };
  }

  private Decision<Leadership, Effect> expired(Leadership state, Instant now) {
    boolean late = state instanceof Leading leading && !leading.mayBegin(now);
    String why = "the leader's lease was not renewed for %d s".formatted(renewDeadline.toSeconds());
    return late ? resign(state, why) : Decision.of(state);
  }

  private static Decision<Leadership, Effect> resign(Leadership state, String why) {
    return state instanceof Over
        ? Decision.of(state)
        : Decision.of(new Over(), new Effect.Resign(why));
  }

  @Override
  public Optional<Instant> wakeAt(Leadership state) {
    return state instanceof Leading leading ? Optional.of(leading.until()) : Optional.empty();
  }
}
