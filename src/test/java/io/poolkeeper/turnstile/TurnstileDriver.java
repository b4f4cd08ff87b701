package io.poolkeeper.turnstile;

import io.poolkeeper.core.Decision;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.TurnResult;
import io.poolkeeper.retry.RetryBudget;
import io.poolkeeper.turnstile.TokenBucket.Rate;
import io.poolkeeper.turnstile.TurnstileEffect.Grant;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Feeds one turnstile's core, event by event, on a clock that only the test moves. */
final class TurnstileDriver {
  static final Instant T0 = Instant.parse("2026-11-21T10:00:00Z");
  static final LoadBalancerId LB1 = new LoadBalancerId("sub", "rg", "lb-1");
  static final LoadBalancerId LB2 = new LoadBalancerId("sub", "rg", "lb-2");
  static final LoadBalancerId LB3 = new LoadBalancerId("sub", "rg", "lb-3");
  static final Requester A = new Requester(LB1.pool("a"), 1);
  static final Requester B = new Requester(LB1.pool("b"), 2);
  static final Requester C = new Requester(LB2.pool("c"), 3);
  static final Requester D = new Requester(LB2.pool("d"), 4);
  static final Requester E = new Requester(LB3.pool("e"), 5);

  static final RetryBudget.Limits BUDGET =
      new RetryBudget.Limits(20, Duration.ofSeconds(10), 200, 50);

  private final TurnstileCore core;
  private TurnstileState state;
  private Instant now = T0;
  private List<TurnstileEffect> effects = List.of();
  private Optional<Instant> wakeAt = Optional.empty();

  TurnstileDriver(TurnstileLimits limits) {
    core = new TurnstileCore(limits);
    state = core.initial(T0);
  }

  /** A turn deadline of 60 s and a settle limit of 300 s, as the fixtures have them. */
  static TurnstileDriver wide() {
    return new TurnstileDriver(limits(100_000, 100_000, 100_000, 1_000));
  }

  /** So many tokens at the start, none of which comes back but one read per second. */
  static TurnstileDriver with(int writes, int reserve, int maxInFlight) {
    return new TurnstileDriver(limits(writes, reserve, 1_000, maxInFlight));
  }

  /**
   * Tokens in thousandths per second: a write, 1 per 1,000 s; a read, 1 per second. The budget has
   * a reserve of 2 retries per 10 s and gains half a retry by a success.
   */
  static TurnstileLimits limits(int writes, int reserve, int reads, int maxInFlight) {
    return limits(writes, reserve, reads, maxInFlight, BUDGET, false);
  }

  /** Ten of each token, with another budget. */
  static TurnstileLimits limits(RetryBudget.Limits budget, boolean depositAttempts) {
    return limits(10, 10, 10, 16, budget, depositAttempts);
  }

  private static TurnstileLimits limits(
      int writes,
      int reserve,
      int reads,
      int maxInFlight,
      RetryBudget.Limits budget,
      boolean depositAttempts) {
    return new TurnstileLimits(
        new Rate(100_000, 1),
        writes,
        new Rate(100_000, 1),
        reserve,
        new Rate(reads, 1_000),
        maxInFlight,
        Duration.ofMinutes(1),
        Duration.ofMinutes(5),
        budget,
        depositAttempts);
  }

  TurnstileState state() {
    return state;
  }

  Instant now() {
    return now;
  }

  Optional<Instant> wakeAt() {
    return wakeAt;
  }

  double budget() {
    return state.budget().balance(now);
  }

  /** What the last event made, but for what is only told. */
  List<TurnstileEffect> effects() {
    return effects.stream()
        .filter(effect -> !(effect instanceof TurnstileEffect.Transition))
        .toList();
  }

  /** Who was granted a turn by the last event. */
  List<Requester> granted() {
    return effects.stream()
        .filter(Grant.class::isInstance)
        .map(effect -> ((Grant) effect).requester())
        .toList();
  }

  TurnstileDriver after(Duration duration) {
    now = now.plus(duration);
    return this;
  }

  TurnstileDriver seconds(long seconds) {
    return after(Duration.ofSeconds(seconds));
  }

  List<Requester> send(TurnstileEvent event) {
    Decision<TurnstileState, TurnstileEffect> decision =
        core.decide(state, event, now, TurnstileFixtures.RANDOM);
    state = decision.state();
    effects = decision.effects();
    wakeAt = core.wakeAt(decision.state());
    return granted();
  }

  List<Requester> request(Requester requester, Lane lane) {
    return send(new TurnstileEvent.Requested(requester, lane));
  }

  List<Requester> cancel(Requester requester) {
    return send(new TurnstileEvent.Cancelled(requester));
  }

  List<Requester> giveBack(Requester requester, long turn, TurnResult result) {
    return send(new TurnstileEvent.Returned(requester, turn, result));
  }

  List<Requester> die(Requester requester) {
    return send(new TurnstileEvent.HolderGone(requester));
  }

  List<Requester> timer() {
    return send(new TurnstileEvent.TimerDue());
  }

  /** The subscription's gate of reads or writes. */
  List<Requester> throttle(boolean write, Instant until) {
    return send(new TurnstileEvent.Throttled(Optional.empty(), write, until));
  }

  List<Requester> throttle(LoadBalancerId id, Instant until) {
    return send(new TurnstileEvent.Throttled(Optional.of(id), true, until));
  }

  /** The clock moves to the wake-up; nothing may happen a nanosecond before. */
  List<Requester> fire() {
    Instant due = wakeAt.orElseThrow();
    Decision<TurnstileState, TurnstileEffect> early =
        core.decide(
            state, new TurnstileEvent.TimerDue(), due.minusNanos(1), TurnstileFixtures.RANDOM);
    if (!early.effects().isEmpty()) {
      throw new AssertionError("before the timer: " + early.effects());
    }
    now = due;
    return timer();
  }
}
