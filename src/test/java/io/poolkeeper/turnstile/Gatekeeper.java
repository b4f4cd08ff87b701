package io.poolkeeper.turnstile;

import io.poolkeeper.core.Decision;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.TurnResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Drives a turnstile's core, event by event, on a clock that only the test moves. */
public final class Gatekeeper {
  /** When it starts. */
  public static final Instant T0 = Instant.parse("2026-11-21T10:00:00Z");

  private final TurnstileCore core;
  private final TurnstileLimits limits;
  private TurnstileState state;
  private Decision<TurnstileState, TurnstileEffect> last;
  private Instant now = T0;

  /** A turnstile nobody has come to yet. */
  public Gatekeeper(TurnstileLimits limits) {
    this.limits = limits;
    core = new TurnstileCore(limits);
    state = core.initial(now);
    last = new Decision<>(state, List.of());
  }

  /** A load balancer of the one resource group. */
  public static LoadBalancerId balancer(String name) {
    return new LoadBalancerId("sub", "rg", name);
  }

  /** Pool {@code p} of a load balancer. */
  public static PoolId pool(String balancer) {
    return balancer(balancer).pool("p");
  }

  static Requester requester(PoolId pool) {
    return new Requester(pool, 1);
  }

  /** The time of the last event. */
  public Instant now() {
    return now;
  }

  /** What can be seen of it. */
  public TurnstileView view() {
    return new TurnstileView(limits, state);
  }

  List<TurnstileEffect> effects() {
    return last.effects();
  }

  Optional<Instant> wakeAt() {
    return core.wakeAt(last.state());
  }

  /** The transitions among the effects of the last event. */
  List<TurnstileEffect> reported() {
    return last.effects().stream().filter(TurnstileEffect.Transition.class::isInstance).toList();
  }

  /** Time passes, and nothing happens. */
  public Gatekeeper after(Duration time) {
    now = now.plus(time);
    return this;
  }

  /** The timer fires when it was set to. */
  Gatekeeper fire() {
    now = wakeAt().orElseThrow();
    return send(new TurnstileEvent.TimerDue());
  }

  /** The pool wants a turn. */
  public Gatekeeper request(PoolId pool, Lane lane) {
    return send(new TurnstileEvent.Requested(requester(pool), lane));
  }

  Gatekeeper cancel(PoolId pool) {
    return send(new TurnstileEvent.Cancelled(requester(pool)));
  }

  /** The pool gives back the turn that it has. */
  public Gatekeeper giveBack(PoolId pool, TurnResult result) {
    long turn =
        view().turns().stream()
            .filter(holder -> holder.pool().equals(pool))
            .findFirst()
            .orElseThrow()
            .turn();
    return send(new TurnstileEvent.Returned(requester(pool), turn, result));
  }

  /** A call was sent. */
  public Gatekeeper sent(boolean write) {
    return send(new TurnstileEvent.Sent(write));
  }

  /** ARM takes no calls of the subscription for so long. */
  public Gatekeeper throttle(boolean write, Duration time) {
    return send(new TurnstileEvent.Throttled(Optional.empty(), write, now.plus(time)));
  }

  /** ARM takes no calls for the load balancer for so long. */
  public Gatekeeper throttle(String balancer, Duration time) {
    return send(
        new TurnstileEvent.Throttled(Optional.of(balancer(balancer)), true, now.plus(time)));
  }

  /** Somebody wants to list. */
  public Gatekeeper requestListing() {
    return send(new TurnstileEvent.ListingRequested());
  }

  Gatekeeper send(TurnstileEvent event) {
    last = core.decide(state, event, now, TurnstileFixtures.RANDOM);
    state = last.state();
    return this;
  }
}
