package io.poolkeeper.turnstile;

import io.poolkeeper.core.Decision;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.TurnResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A turnstile's core for tests of other packages, which wire it to cores of other rooms: its state,
 * and somebody who hears of the turns that it grants. Visitors are told apart by their number.
 */
public final class TurnstileUnderTest {
  /** A turn that was granted. */
  public record Granted(
      PoolId pool,
      long requester,
      long turn,
      Lane lane,
      Instant deadline,
      boolean evenIfUpdating,
      Duration waited) {}

  private final TurnstileCore core;
  private final Consumer<Granted> onGrant;
  private TurnstileState state;
  private Optional<Instant> wakeAt = Optional.empty();
  private long lost;

  /** A turnstile that nobody has come to yet. */
  public TurnstileUnderTest(TurnstileLimits limits, Instant now, Consumer<Granted> onGrant) {
    this.core = new TurnstileCore(limits);
    this.onGrant = onGrant;
    this.state = core.initial(now);
  }

  /** A visitor wants a turn, or another lane. */
  public void request(PoolId pool, long requester, Lane lane, Instant now) {
    send(new TurnstileEvent.Requested(new Requester(pool, requester), lane), now);
  }

  /** A visitor leaves the line. */
  public void cancel(PoolId pool, long requester, Instant now) {
    send(new TurnstileEvent.Cancelled(new Requester(pool, requester)), now);
  }

  /** A turn is given back. */
  public void giveBack(PoolId pool, long requester, long turn, TurnResult result, Instant now) {
    send(new TurnstileEvent.Returned(new Requester(pool, requester), turn, result), now);
  }

  /** A call was answered. */
  public void sent(boolean write, Instant now) {
    send(new TurnstileEvent.Sent(write), now);
  }

  /** ARM takes no calls until then. */
  public void throttled(
      Optional<LoadBalancerId> balancer, boolean write, Instant until, Instant now) {
    send(new TurnstileEvent.Throttled(balancer, write, until), now);
  }

  /** The timer fired. */
  public void timerDue(Instant now) {
    send(new TurnstileEvent.TimerDue(), now);
  }

  /** When the timer must fire. */
  public Optional<Instant> wakeAt() {
    return wakeAt;
  }

  /** Turns that were not given back in time. */
  public long lost() {
    return lost;
  }

  /** Until when a load balancer is not to be had, for a gate of its own or an unresolved write. */
  public Instant restsUntil(LoadBalancerId balancer) {
    LoadBalancerQueue line = state.queues().get(balancer);
    return line == null ? Instant.EPOCH : line.from();
  }

  private void send(TurnstileEvent event, Instant now) {
    Decision<TurnstileState, TurnstileEffect> decision =
        core.decide(state, event, now, TurnstileFixtures.RANDOM);
    state = decision.state();
    wakeAt = core.wakeAt(decision.state());
    for (TurnstileEffect effect : decision.effects()) {
      switch (effect) {
        case TurnstileEffect.Grant grant -> onGrant.accept(granted(grant));
        case TurnstileEffect.GrantListing listing -> {}
        case TurnstileEffect.TurnLost turn -> lost++;
        case TurnstileEffect.RetryHeldBack held -> {}
        case TurnstileEffect.Transition transition -> {}
      }
    }
  }

  private Granted granted(TurnstileEffect.Grant grant) {
    return new Granted(
        grant.requester().pool(),
        grant.requester().incarnation(),
        grant.turn(),
        grant.lane(),
        grant.deadline(),
        grant.evenIfUpdating(),
        grant.waited());
  }
}
