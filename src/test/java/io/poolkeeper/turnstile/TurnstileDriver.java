package io.poolkeeper.turnstile;

import io.poolkeeper.core.Decision;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.TurnResult;
import io.poolkeeper.retry.RetryBudget;
import io.poolkeeper.turnstile.TokenBucket.Rate;
import io.poolkeeper.turnstile.TurnstileEffect.Grant;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Drives a turnstile's core, event by event, on a clock that only the test moves. */
public final class TurnstileDriver {
  /** When it starts. */
  public static final Instant T0 = Instant.parse("2026-11-21T10:00:00Z");

  static final LoadBalancerId LB1 = balancer("lb-1");
  static final LoadBalancerId LB2 = balancer("lb-2");
  static final Requester A = new Requester(LB1.pool("a"), 1);
  static final Requester B = new Requester(LB1.pool("b"), 2);
  static final Requester C = new Requester(LB2.pool("c"), 3);
  static final Requester D = new Requester(LB2.pool("d"), 4);
  static final Requester E = new Requester(balancer("lb-3").pool("e"), 5);

  static final RetryBudget.Limits BUDGET =
      new RetryBudget.Limits(20, Duration.ofSeconds(10), 200, 50);

  private final TurnstileCore core;
  private Decision<TurnstileState, TurnstileEffect> last;
  private Instant now;

  /** A turnstile nobody has come to yet. */
  public TurnstileDriver(TurnstileLimits limits) {
    this(new TurnstileCore(limits), Decision.of(TurnstileState.initial(limits, T0)), T0);
  }

  private TurnstileDriver(
      TurnstileCore core, Decision<TurnstileState, TurnstileEffect> last, Instant now) {
    this.core = core;
    this.last = last;
    this.now = now;
  }

  /** Another one with the same past. */
  TurnstileDriver copy() {
    return new TurnstileDriver(core, last, now);
  }

  /** A turn deadline of 60 s and a settle limit of 300 s, as the fixtures have them. */
  static TurnstileDriver wide() {
    return new TurnstileDriver(limits(100_000, 100_000, 100_000, 1_000, BUDGET, false));
  }

  /** So many tokens at the start, none of which comes back but one read per second. */
  static TurnstileDriver with(int writes, int reserve, int maxInFlight) {
    return new TurnstileDriver(limits(writes, reserve, 1_000, maxInFlight, BUDGET, false));
  }

  /** So many read tokens, of which one comes back per second. */
  static TurnstileDriver withReads(int reads) {
    return new TurnstileDriver(limits(100, 100, reads, 16, BUDGET, false));
  }

  /** Ten of each token, with another budget. */
  static TurnstileDriver with(RetryBudget.Limits budget, boolean depositAttempts) {
    return new TurnstileDriver(limits(10, 10, 10, 16, budget, depositAttempts));
  }

  /**
   * Tokens in thousandths per second: a write, 1 per 1,000 s; a read, 1 per second. The budget has
   * a reserve of 2 retries per 10 s and gains half a retry by a success.
   */
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
        TurnstileFixtures.SHIPPED.early(),
        maxInFlight,
        Duration.ofMinutes(1),
        Duration.ofMinutes(5),
        Duration.ofSeconds(2),
        Duration.ofSeconds(30),
        budget,
        depositAttempts);
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

  TurnstileState state() {
    return last.state();
  }

  /** The time of the last event. */
  public Instant now() {
    return now;
  }

  Optional<Instant> wakeAt() {
    return core.wakeAt(state());
  }

  double budget() {
    return state().quota().budget().balance(now);
  }

  /** What can be seen of it. */
  public TurnstileView view() {
    return new TurnstileView(core.limits(), state());
  }

  /** What the last event made. */
  List<TurnstileEffect> effects() {
    return last.effects();
  }

  /** The transitions among the effects of the last event. */
  List<TurnstileEffect> reported() {
    return effects().stream().filter(TurnstileEffect.Transition.class::isInstance).toList();
  }

  /** The effects of the last event but for what is only told. */
  List<TurnstileEffect> ordered() {
    return effects().stream().filter(effect -> !reported().contains(effect)).toList();
  }

  /** The turns that the last event brought. */
  public List<Grant> grants() {
    return effects().stream().filter(Grant.class::isInstance).map(Grant.class::cast).toList();
  }

  /** The looks that the last event began. */
  List<TurnstileEffect.Look> looks() {
    return effects().stream()
        .filter(TurnstileEffect.Look.class::isInstance)
        .map(TurnstileEffect.Look.class::cast)
        .toList();
  }

  /** The look that the last event began has ended. */
  public TurnstileDriver looked(LookResult result) {
    return looked(looks().getFirst().look(), result);
  }

  TurnstileDriver looked(long look, LookResult result) {
    return send(new TurnstileEvent.Looked(look, result));
  }

  /** Who was granted a turn by the last event. */
  List<Requester> granted() {
    return grants().stream().map(Grant::requester).toList();
  }

  /** Time passes, and nothing happens. */
  public TurnstileDriver after(Duration time) {
    now = now.plus(time);
    return this;
  }

  TurnstileDriver seconds(long seconds) {
    return after(Duration.ofSeconds(seconds));
  }

  TurnstileDriver send(TurnstileEvent event) {
    last = core.decide(state(), event, now, TurnstileFixtures.RANDOM);
    return this;
  }

  /** The pool wants a turn. */
  public TurnstileDriver request(PoolId pool, Lane lane) {
    return request(requester(pool), lane);
  }

  TurnstileDriver request(Requester requester, Lane lane) {
    return request(requester, Priority.of(lane));
  }

  /** The pool wants a turn, to set so many of so many entries Down. */
  public TurnstileDriver drain(PoolId pool, int part, int whole) {
    return request(requester(pool), new Priority(Lane.DRAIN, new Share(part, whole)));
  }

  TurnstileDriver request(Requester requester, Priority priority) {
    return send(new TurnstileEvent.Requested(requester, priority));
  }

  TurnstileDriver cancel(Requester requester) {
    return send(new TurnstileEvent.Cancelled(requester));
  }

  /** The pool gives back the turn that it has. */
  public TurnstileDriver giveBack(PoolId pool, TurnResult result) {
    long turn =
        view().turns().stream()
            .filter(holder -> holder.pool().equals(pool))
            .findFirst()
            .orElseThrow()
            .turn();
    return giveBack(pool, turn, result);
  }

  /** The pool gives back a turn. */
  public TurnstileDriver giveBack(PoolId pool, long turn, TurnResult result) {
    return giveBack(requester(pool), turn, result);
  }

  TurnstileDriver giveBack(Requester requester, long turn, TurnResult result) {
    return send(new TurnstileEvent.Returned(requester, turn, result));
  }

  TurnstileDriver die(Requester requester) {
    return send(new TurnstileEvent.HolderGone(requester));
  }

  /** A call was sent. */
  public TurnstileDriver sent(boolean write) {
    return send(new TurnstileEvent.Sent(write));
  }

  TurnstileDriver sent(boolean write, int times) {
    for (int i = 0; i < times; i++) {
      sent(write);
    }
    return this;
  }

  /** ARM takes no calls of the subscription for so long. */
  public TurnstileDriver throttle(boolean write, Duration time) {
    return send(new TurnstileEvent.Throttled(Optional.empty(), write, now.plus(time)));
  }

  /** ARM takes no calls for the load balancer for so long. */
  public TurnstileDriver throttle(String balancer, Duration time) {
    return send(
        new TurnstileEvent.Throttled(Optional.of(balancer(balancer)), true, now.plus(time)));
  }

  /** Somebody wants to list. */
  public TurnstileDriver requestListing() {
    return send(new TurnstileEvent.ReadRequested(Reader.LISTING));
  }

  TurnstileDriver timer() {
    return send(new TurnstileEvent.TimerDue());
  }

  /** The clock moves to the wake-up; nothing may happen a nanosecond before. */
  TurnstileDriver fire() {
    Instant due = wakeAt().orElseThrow();
    now = due.minusNanos(1);
    List<TurnstileEffect> early = copy().timer().effects();
    if (!early.isEmpty()) {
      throw new AssertionError("before the timer: " + early);
    }
    now = due;
    return timer();
  }
}
