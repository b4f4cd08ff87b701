package io.poolkeeper.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.poolkeeper.core.Decision;
import io.poolkeeper.lock.LeaseStanding;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PermitResult;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.ratelimit.RateLimiterEffect.BudgetEmptied;
import io.poolkeeper.ratelimit.RateLimiterEffect.BudgetRefilled;
import io.poolkeeper.ratelimit.RateLimiterEffect.Grant;
import io.poolkeeper.ratelimit.RateLimiterEffect.RetryHeldBack;
import io.poolkeeper.retry.RetryBudget.Limits;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Drives a rate limiter's core, event by event, on a clock that only the test moves. */
public final class RateLimiterDriver {
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

  private final RateLimiterCore core;
  private final Optional<RateLimiterTrace> trace;
  private Decision<RateLimiterState, RateLimiterEffect> last;
  private Instant now;

  /** A rate limiter nobody has come to yet. */
  public RateLimiterDriver(RateLimiterLimits limits) {
    this(new RateLimiterCore(limits), initial(limits), T0, Optional.empty());
  }

  private RateLimiterDriver(
      RateLimiterCore core,
      Decision<RateLimiterState, RateLimiterEffect> last,
      Instant now,
      Optional<RateLimiterTrace> trace) {
    this.core = core;
    this.last = last;
    this.now = now;
    this.trace = trace;
  }

  /** Another one with the same past, without a trace. */
  RateLimiterDriver copy() {
    return new RateLimiterDriver(core, last, now, Optional.empty());
  }

  /** One that keeps a trace of what comes out. */
  static RateLimiterDriver traced(RateLimiterLimits limits) {
    Optional<RateLimiterTrace> trace = Optional.of(new RateLimiterTrace());
    return new RateLimiterDriver(new RateLimiterCore(limits), initial(limits), T0, trace);
  }

  private static Decision<RateLimiterState, RateLimiterEffect> initial(RateLimiterLimits limits) {
    return Decision.of(RateLimiterState.initial(limits, T0));
  }

  /** The limits as shipped. */
  static RateLimiterDriver shipped() {
    return traced(RateLimiterFixtures.SHIPPED);
  }

  /** A permit deadline of 60 s and a settle limit of 300 s, as the fixtures have them. */
  static RateLimiterDriver wide() {
    return traced(RateLimiterFixtures.limits(100_000, 100_000, 100_000, 1_000, BUDGET, false));
  }

  /** So many tokens at the start, none of which comes back but one read per second. */
  static RateLimiterDriver with(int writes, int reserve, int maxInFlight) {
    return traced(RateLimiterFixtures.limits(writes, reserve, 1_000, maxInFlight, BUDGET, false));
  }

  /** So many read tokens, of which one comes back per second. */
  static RateLimiterDriver withReads(int reads) {
    return traced(RateLimiterFixtures.limits(100, 100, reads, 16, BUDGET, false));
  }

  /** Ten of each token, with another budget. */
  static RateLimiterDriver with(Limits budget, boolean depositAttempts) {
    return traced(RateLimiterFixtures.limits(10, 10, 10, 16, budget, depositAttempts));
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

  RateLimiterState state() {
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
  public RateLimiterView view() {
    return new RateLimiterView(core.limits(), state());
  }

  /** What the last event made. */
  List<RateLimiterEffect> effects() {
    return last.effects();
  }

  /** The permits that the last event brought. */
  public List<Grant> grants() {
    return effects().stream().filter(Grant.class::isInstance).map(Grant.class::cast).toList();
  }

  /** The looks that the last event began. */
  List<RateLimiterEffect.Verify> verifications() {
    return effects().stream()
        .filter(RateLimiterEffect.Verify.class::isInstance)
        .map(RateLimiterEffect.Verify.class::cast)
        .toList();
  }

  /** The verification that the last event began has ended. */
  public RateLimiterDriver verified(VerificationResult result) {
    return verified(verifications().getFirst().verification(), result);
  }

  RateLimiterDriver verified(long verification, VerificationResult result) {
    return send(new RateLimiterEvent.Verified(verification, result));
  }

  /** Who was granted a permit by the last event. */
  List<Requester> granted() {
    return grants().stream().map(Grant::requester).toList();
  }

  /** Time passes, and nothing happens. */
  public RateLimiterDriver after(Duration time) {
    now = now.plus(time);
    return this;
  }

  RateLimiterDriver seconds(long seconds) {
    return after(Duration.ofSeconds(seconds));
  }

  RateLimiterDriver send(RateLimiterEvent event) {
    last = core.decide(state(), event, now, RateLimiterFixtures.RANDOM);
    trace.ifPresent(all -> effects().forEach(effect -> all.add(now, effect)));
    return this;
  }

  /** This came out since it was asked last, as {@link RateLimiterTrace} has it. */
  RateLimiterDriver came(String expected) {
    assertThat(trace.orElseThrow().done()).isEqualTo(expected);
    return this;
  }

  /** This was told since it was asked last. */
  RateLimiterDriver told(String expected) {
    assertThat(trace.orElseThrow().told()).isEqualTo(expected);
    return this;
  }

  /** It wants to be woken at that second; at none if it is empty. */
  RateLimiterDriver wakes(String seconds) {
    assertThat(wakeAt().map(RateLimiterTrace::seconds).orElse("")).isEqualTo(seconds);
    return this;
  }

  /** Who waits, why, and until which second if that is known: {@code b TURN 60, c NEXT}. */
  RateLimiterDriver waiting(String expected) {
    String found =
        view().waiting(now).stream()
            .map(one -> one.pool().name() + " " + one.why() + until(one.until()))
            .collect(Collectors.joining(", "));
    assertThat(found).isEqualTo(expected);
    return this;
  }

  private static String until(Optional<Instant> time) {
    return time.map(until -> " " + RateLimiterTrace.seconds(until)).orElse("");
  }

  /** So many retries could be made. */
  RateLimiterDriver budget(double retries) {
    assertThat(view().retryBudget(now)).isEqualTo(retries);
    return this;
  }

  /** So many tokens are in the bucket. */
  RateLimiterDriver holds(Bucket bucket, double tokens) {
    assertThat(view().tokens(bucket, now).tokens()).isCloseTo(tokens, within(1e-9));
    return this;
  }

  /** They want a permit, one after the other. */
  RateLimiterDriver wants(PriorityLevel level, Requester... requesters) {
    List.of(requesters).forEach(requester -> request(requester, level));
    return this;
  }

  /** Who has a permit gives it back. */
  RateLimiterDriver back(Requester requester, PermitResult result) {
    return giveBack(requester, permit(requester.pool()), result);
  }

  /** They give back their permits, in which all went well. */
  RateLimiterDriver back(Requester... requesters) {
    List.of(requesters).forEach(requester -> back(requester, PermitResult.SUCCEEDED));
    return this;
  }

  private long permit(PoolId pool) {
    return view().permits().stream()
        .filter(holder -> holder.pool().equals(pool))
        .findFirst()
        .orElseThrow()
        .permit();
  }

  /** Permits need the shared Lease, which drains go without after 10 s; a tail is of 5 s. */
  public RateLimiterDriver needLease() {
    return needLease(Optional.of(Duration.ofSeconds(10)), Optional.empty());
  }

  RateLimiterDriver needLease(Optional<Duration> drainWait, Optional<Duration> unreachable) {
    LeaseTerms terms = new LeaseTerms(drainWait, unreachable, Duration.ofSeconds(5));
    return send(new RateLimiterEvent.LeaseNeeded(terms));
  }

  public RateLimiterDriver stands(LeaseStanding standing) {
    return send(new RateLimiterEvent.LeaseStands(standing));
  }

  /** The Lease is held: for members until 5 s from now, over after 15 s. */
  RateLimiterDriver held(long session) {
    Instant tail = now.plusSeconds(5);
    return stands(new LeaseStanding.Held(session, tail, tail, now.plusSeconds(15)));
  }

  RateLimiterDriver free() {
    return stands(new LeaseStanding.Free());
  }

  /** A peer has had the Lease since the start, which expires in 900 s. */
  public RateLimiterDriver busy() {
    return stands(new LeaseStanding.Busy("peer", Optional.of(T0), now.plusSeconds(900), now));
  }

  /** The pool wants a permit. */
  public RateLimiterDriver request(PoolId pool, PriorityLevel level) {
    return request(requester(pool), level);
  }

  RateLimiterDriver request(Requester requester, PriorityLevel level) {
    return request(requester, Priority.of(level));
  }

  /** A pool of the namespace wants a permit. */
  public RateLimiterDriver request(PoolId pool, PriorityLevel level, String namespace) {
    return request(requester(pool), Priority.of(level).in(namespace));
  }

  /** The pool wants a permit, to set so many of so many entries Down. */
  public RateLimiterDriver drain(PoolId pool, int part, int whole) {
    return request(requester(pool), new Priority(PriorityLevel.DRAIN, new Share(part, whole)));
  }

  RateLimiterDriver request(Requester requester, Priority priority) {
    return register(requester).send(new RateLimiterEvent.Requested(requester, priority));
  }

  /** As if the requester had registered when the last event came. */
  RateLimiterDriver register(Requester requester) {
    if (!state().registered().contains(requester)) {
      RateLimiterEvent event = new RateLimiterEvent.Registered(requester);
      last = last.map(at -> core.decide(at, event, at.asOf(), RateLimiterFixtures.RANDOM).state());
    }
    return this;
  }

  RateLimiterDriver cancel(Requester requester) {
    return send(new RateLimiterEvent.Cancelled(requester));
  }

  /** The pool gives back the permit that it has. */
  public RateLimiterDriver giveBack(PoolId pool, PermitResult result) {
    return giveBack(pool, permit(pool), result);
  }

  /** The pool gives back a permit. */
  public RateLimiterDriver giveBack(PoolId pool, long permit, PermitResult result) {
    return giveBack(requester(pool), permit, result);
  }

  RateLimiterDriver giveBack(Requester requester, long permit, PermitResult result) {
    return send(new RateLimiterEvent.Returned(requester, permit, result));
  }

  RateLimiterDriver die(Requester requester) {
    return send(new RateLimiterEvent.HolderGone(requester));
  }

  /** A call was sent. */
  public RateLimiterDriver sent(boolean write) {
    return send(new RateLimiterEvent.Sent(write));
  }

  RateLimiterDriver sent(boolean write, int times) {
    IntStream.range(0, times).forEach(i -> sent(write));
    return this;
  }

  /** A write of the one who has the permit is sent. */
  RateLimiterDriver writes(Requester requester) {
    return send(new RateLimiterEvent.Writes(requester.loadBalancer()));
  }

  /** And ARM has accepted it. */
  RateLimiterDriver accepted(Requester requester) {
    return send(new RateLimiterEvent.Accepted(requester.loadBalancer()));
  }

  /** ARM takes no calls of the subscription for so long. */
  public RateLimiterDriver throttle(boolean write, Duration time) {
    return send(new RateLimiterEvent.Throttled(Optional.empty(), write, now.plus(time)));
  }

  /** ARM takes no calls for the load balancer for so long. */
  public RateLimiterDriver throttle(String balancer, Duration time) {
    return send(
        new RateLimiterEvent.Throttled(Optional.of(balancer(balancer)), true, now.plus(time)));
  }

  /** ARM takes no calls for so long: {@code reads}, {@code writes}, or those of a load balancer. */
  RateLimiterDriver close(String gate, int seconds) {
    Duration time = Duration.ofSeconds(seconds);
    return switch (gate) {
      case "reads", "writes" -> throttle(gate.equals("writes"), time);
      default -> throttle(gate, time);
    };
  }

  /** Somebody wants to list. */
  public RateLimiterDriver requestListing() {
    return send(new RateLimiterEvent.ReadRequested(Reader.LISTING));
  }

  RateLimiterDriver timer() {
    return send(new RateLimiterEvent.TimerDue());
  }

  /** The clock moves to the wake-up; nothing may happen a nanosecond before. */
  RateLimiterDriver fire() {
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
