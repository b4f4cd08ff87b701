package io.poolkeeper.turnstile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.poolkeeper.core.Decision;
import io.poolkeeper.lock.LeaseStanding;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.TurnResult;
import io.poolkeeper.retry.RetryBudget.Limits;
import io.poolkeeper.turnstile.TurnstileEffect.BudgetEmptied;
import io.poolkeeper.turnstile.TurnstileEffect.BudgetRefilled;
import io.poolkeeper.turnstile.TurnstileEffect.Grant;
import io.poolkeeper.turnstile.TurnstileEffect.RetryHeldBack;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

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

  static final Limits BUDGET = new Limits(20, Duration.ofSeconds(10), 200, 50);

  private final TurnstileCore core;
  private final Optional<TurnstileTrace> trace;
  private Decision<TurnstileState, TurnstileEffect> last;
  private Instant now;

  /** A turnstile nobody has come to yet. */
  public TurnstileDriver(TurnstileLimits limits) {
    this(new TurnstileCore(limits), initial(limits), T0, Optional.empty());
  }

  private TurnstileDriver(
      TurnstileCore core,
      Decision<TurnstileState, TurnstileEffect> last,
      Instant now,
      Optional<TurnstileTrace> trace) {
    this.core = core;
    this.last = last;
    this.now = now;
    this.trace = trace;
  }

  /** Another one with the same past, without a trace. */
  TurnstileDriver copy() {
    return new TurnstileDriver(core, last, now, Optional.empty());
  }

  /** One that keeps a trace of what comes out. */
  static TurnstileDriver traced(TurnstileLimits limits) {
    Optional<TurnstileTrace> trace = Optional.of(new TurnstileTrace());
    return new TurnstileDriver(new TurnstileCore(limits), initial(limits), T0, trace);
  }

  private static Decision<TurnstileState, TurnstileEffect> initial(TurnstileLimits limits) {
    return Decision.of(TurnstileState.initial(limits, T0));
  }

  /** The limits as shipped. */
  static TurnstileDriver shipped() {
    return traced(TurnstileFixtures.SHIPPED);
  }

  /** A turn deadline of 60 s and a settle limit of 300 s, as the fixtures have them. */
  static TurnstileDriver wide() {
    return traced(TurnstileFixtures.limits(100_000, 100_000, 100_000, 1_000, BUDGET, false));
  }

  /** So many tokens at the start, none of which comes back but one read per second. */
  static TurnstileDriver with(int writes, int reserve, int maxInFlight) {
    return traced(TurnstileFixtures.limits(writes, reserve, 1_000, maxInFlight, BUDGET, false));
  }

  /** So many read tokens, of which one comes back per second. */
  static TurnstileDriver withReads(int reads) {
    return traced(TurnstileFixtures.limits(100, 100, reads, 16, BUDGET, false));
  }

  /** Ten of each token, with another budget. */
  static TurnstileDriver with(Limits budget, boolean depositAttempts) {
    return traced(TurnstileFixtures.limits(10, 10, 10, 16, budget, depositAttempts));
  }

  /** A load balancer of the one resource group. */
  public static LoadBalancerId balancer(String name) {
    return new LoadBalancerId("sub", "rg", name);
  }

  /** Pool {@code p} of a load balancer. */
  public static PoolId pool(String balancer) {
    return balancer(balancer).pool("p");
  }

  /** Pools p0, p1 ... at a load balancer each. */
  static Requester[] many(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(i -> new Requester(balancer("lb" + i).pool("p" + i), i))
        .toArray(Requester[]::new);
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

  /** What can be seen of it. */
  public TurnstileView view() {
    return new TurnstileView(core.limits(), state());
  }

  /** What the last event made. */
  List<TurnstileEffect> effects() {
    return last.effects();
  }

  /** The turns that the last event brought. */
  public List<Grant> grants() {
    return effects().stream().filter(Grant.class::isInstance).map(Grant.class::cast).toList();
  }

  /** The looks that the last event began. */
  List<TurnstileEffect.Verify> verifications() {
    return effects().stream()
        .filter(TurnstileEffect.Verify.class::isInstance)
        .map(TurnstileEffect.Verify.class::cast)
        .toList();
  }

  /** The verification that the last event began has ended. */
  public TurnstileDriver verified(VerificationResult result) {
    return verified(verifications().getFirst().verification(), result);
  }

  TurnstileDriver verified(long verification, VerificationResult result) {
    return send(new TurnstileEvent.Verified(verification, result));
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
    trace.ifPresent(all -> effects().forEach(effect -> all.add(now, effect)));
    return this;
  }

  /** This came out since it was asked last, as {@link TurnstileTrace} has it. */
  TurnstileDriver came(String expected) {
    assertThat(trace.orElseThrow().done()).isEqualTo(expected);
    return this;
  }

  /** This was told since it was asked last. */
  TurnstileDriver told(String expected) {
    assertThat(trace.orElseThrow().told()).isEqualTo(expected);
    return this;
  }

  /** It wants to be woken at that second; at none if it is empty. */
  TurnstileDriver wakes(String seconds) {
    assertThat(wakeAt().map(TurnstileTrace::seconds).orElse("")).isEqualTo(seconds);
    return this;
  }

  /** Who waits, why, and until which second if that is known: {@code b TURN 60, c NEXT}. */
  TurnstileDriver waiting(String expected) {
    String found =
        view().waiting(now).stream()
            .map(one -> one.pool().name() + " " + one.why() + until(one.until()))
            .collect(Collectors.joining(", "));
    assertThat(found).isEqualTo(expected);
    return this;
  }

  private static String until(Optional<Instant> time) {
    return time.map(until -> " " + TurnstileTrace.seconds(until)).orElse("");
  }

  /** So many retries could be made. */
  TurnstileDriver budget(double retries) {
    assertThat(view().retryBudget(now)).isEqualTo(retries);
    return this;
  }

  /** So many tokens are in the bucket. */
  TurnstileDriver holds(Bucket bucket, double tokens) {
    assertThat(view().tokens(bucket, now).tokens()).isCloseTo(tokens, within(1e-9));
    return this;
  }

  /** They want a turn, one after the other. */
  TurnstileDriver wants(Lane lane, Requester... requesters) {
    List.of(requesters).forEach(requester -> request(requester, lane));
    return this;
  }

  /** Who has a turn gives it back. */
  TurnstileDriver back(Requester requester, TurnResult result) {
    return giveBack(requester, turn(requester.pool()), result);
  }

  /** They give back their turns, in which all went well. */
  TurnstileDriver back(Requester... requesters) {
    List.of(requesters).forEach(requester -> back(requester, TurnResult.SUCCEEDED));
    return this;
  }

  private long turn(PoolId pool) {
    return view().turns().stream()
        .filter(holder -> holder.pool().equals(pool))
        .findFirst()
        .orElseThrow()
        .turn();
  }

  /** Turns need the shared Lease, which drains go without after 10 s; a tail is of 5 s. */
  public TurnstileDriver needLease() {
    return needLease(Optional.of(Duration.ofSeconds(10)), Optional.empty());
  }

  TurnstileDriver needLease(Optional<Duration> drainWait, Optional<Duration> unreachable) {
    LeaseTerms terms = new LeaseTerms(drainWait, unreachable, Duration.ofSeconds(5));
    return send(new TurnstileEvent.LeaseNeeded(terms));
  }

  public TurnstileDriver stands(LeaseStanding standing) {
    return send(new TurnstileEvent.LeaseStands(standing));
  }

  /** The Lease is held: for members until 5 s from now, over after 15 s. */
  TurnstileDriver held(long session) {
    Instant tail = now.plusSeconds(5);
    return stands(new LeaseStanding.Held(session, tail, tail, now.plusSeconds(15)));
  }

  TurnstileDriver free() {
    return stands(new LeaseStanding.Free());
  }

  /** A peer has had the Lease since the start, which expires in 900 s. */
  public TurnstileDriver busy() {
    return stands(new LeaseStanding.Busy("peer", Optional.of(T0), now.plusSeconds(900), now));
  }

  /** The pool wants a turn. */
  public TurnstileDriver request(PoolId pool, Lane lane) {
    return request(requester(pool), lane);
  }

  TurnstileDriver request(Requester requester, Lane lane) {
    return request(requester, Priority.of(lane));
  }

  /** A pool of the namespace wants a turn. */
  public TurnstileDriver request(PoolId pool, Lane lane, String namespace) {
    return request(requester(pool), Priority.of(lane).in(namespace));
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
    return giveBack(pool, turn(pool), result);
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
    IntStream.range(0, times).forEach(i -> sent(write));
    return this;
  }

  /** A write of the one who has the turn is sent. */
  TurnstileDriver writes(Requester requester) {
    return send(new TurnstileEvent.Writes(requester.loadBalancer()));
  }

  /** And ARM has accepted it. */
  TurnstileDriver accepted(Requester requester) {
    return send(new TurnstileEvent.Accepted(requester.loadBalancer()));
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

  /** ARM takes no calls for so long: {@code reads}, {@code writes}, or those of a load balancer. */
  TurnstileDriver close(String gate, int seconds) {
    Duration time = Duration.ofSeconds(seconds);
    return switch (gate) {
      case "reads", "writes" -> throttle(gate.equals("writes"), time);
      default -> throttle(gate, time);
    };
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
    // How it is with the budget is told when something happens next.
    assertThat(copy().timer().effects())
        .as("before the timer")
        .isSubsetOf(new RetryHeldBack(), new BudgetEmptied(), new BudgetRefilled());
    now = due;
    return timer();
  }
}
