package io.poolkeeper.ratelimit;

import io.poolkeeper.core.Core;
import io.poolkeeper.core.Decision;
import io.poolkeeper.model.Gate;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PermitResult;
import io.poolkeeper.ratelimit.LoadBalancerQueue.Permit;
import io.poolkeeper.ratelimit.LoadBalancerQueue.Request;
import io.poolkeeper.ratelimit.RateLimiterState.Numbers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.pcollections.MapPSet;
import org.pcollections.TreePMap;

/**
 * The policy of admission to ARM (spec 3, "decide, schedule, admit"; architecture, The rate
 * limiter): which of the requesting pools may call ARM for which load balancer now. After each
 * event it grants permits, the most urgent request first, until {@link PermitAdmission} shows an
 * obstacle for each request that is left.
 */
public record RateLimiterCore(RateLimiterLimits limits)
    implements Core<RateLimiterState, RateLimiterEvent, RateLimiterEffect> {
  /** Deterministic: {@code random} is not used. */
  @Override
  public Decision<RateLimiterState, RateLimiterEffect> decide(
      RateLimiterState state, RateLimiterEvent event, Instant now, RandomGenerator random) {
    Step step = new Step(state, now);
    step.catchUp(state);
    step.apply(event);
    return step.decision();
  }

  @Override
  public Optional<Instant> wakeAt(RateLimiterState state) {
    return state.wakeAt();
  }

  /**
   * One decision: catches up with the time, takes one event and ends by granting whatever can be
   * granted.
   */
  private final class Step {
    private final Instant now;
    private final List<RateLimiterEffect> effects = new ArrayList<>();
    private MapPSet<Requester> registered;
    private TreePMap<LoadBalancerId, LoadBalancerQueue> queues;
    private Ageing ageing;
    private TreePMap<Long, LoadBalancerId> verifications;
    private final Set<Reader> readers = EnumSet.noneOf(Reader.class);
    private Quota quota;
    private Gates gates;
    private Reported reported;
    private LeaseGate lease;
    private Numbers numbers;

    Step(RateLimiterState state, Instant now) {
      this.now = now;
      registered = state.registered();
      queues = state.queues();
      ageing = state.ageing();
      verifications = state.verifications();
      readers.addAll(state.readers());
      quota = state.quota().at(now);
      gates = state.gates();
      lease = state.lease();
      numbers = state.next();
      reported = state.reported();
    }

    /** Applies what time alone has changed: gates that opened, and permits that are lost. */
    void catchUp(RateLimiterState before) {
      if (before.wakeAt().filter(at -> !at.isAfter(now)).isEmpty()) {
        return;
      }
      for (Gate gate : before.opened(now)) {
        effects.add(new RateLimiterEffect.GateOpened(gate));
        // Storing the queue again forgets it if only its gate was known.
        gate.loadBalancer().ifPresent(id -> put(queue(id)));
      }
      for (Permit permit : before.lost(limits, now)) {
        effects.add(new RateLimiterEffect.PermitLost(permit.holder(), permit.number()));
        end(permit, PermitResult.UNRESOLVED);
      }
    }

    void apply(RateLimiterEvent event) {
      switch (event) {
        case RateLimiterEvent.Registered added -> registered = registered.plus(added.requester());
        case RateLimiterEvent.Requested requested -> {
          if (registered.contains(requested.requester())) {
            request(requested);
          }
        }
        case RateLimiterEvent.Cancelled cancelled -> cancel(cancelled.requester());
        case RateLimiterEvent.Returned returned ->
            permit(returned.requester().loadBalancer())
                .filter(permit -> permit.number() == returned.permit())
                .filter(permit -> permit.holder().equals(returned.requester()))
                .ifPresent(permit -> end(permit, returned.result()));
        case RateLimiterEvent.HolderGone gone -> lose(gone.requester());
        case RateLimiterEvent.Verified verified -> verified(verified);
        case RateLimiterEvent.ReadRequested read -> readers.add(read.reader());
        case RateLimiterEvent.Sent sent -> quota = quota.sent(sent.write());
        case RateLimiterEvent.Throttled throttled -> throttle(throttled);
        case RateLimiterEvent.LeaseNeeded needed -> lease = LeaseGate.on(needed.terms());
        // A pool whose session ends while it reads begins no write; a write in flight goes on.
        case RateLimiterEvent.LeaseStands stands ->
            changeLease(lease.withStanding(stands.standing()));
        case RateLimiterEvent.Writes writes ->
            permit(writes.loadBalancer())
                .ifPresent(
                    permit ->
                        lease = lease.with(lease.permits().writes(permit.number(), Instant.MAX)));
        case RateLimiterEvent.Accepted accepted ->
            permit(accepted.loadBalancer())
                .ifPresent(permit -> lease = lease.accepted(permit.number(), now));
        case RateLimiterEvent.TimerDue due -> {}
      }
    }

    private void request(RateLimiterEvent.Requested requested) {
      Requester requester = requested.requester();
      Optional<Request> before = queue(requester.loadBalancer()).requests().requestOf(requester);
      if (before.map(Request::priority).equals(Optional.of(requested.priority()))) {
        return;
      }
      before.ifPresent(old -> put(queue(requester.loadBalancer()).without(old)));
      Request request =
          before
              .map(old -> old.with(requested.priority()))
              .orElseGet(
                  () -> new Request(requester, requested.priority(), nextTicket(), now, false));
      lease = lease.with(lease.permits().asked(request, limits.permitDeadline()));
      put(queue(requester.loadBalancer()).with(request));
    }

    private void cancel(Requester requester) {
      LoadBalancerQueue queue = queue(requester.loadBalancer());
      queue.requests().requestOf(requester).map(queue::without).ifPresent(this::put);
      lease = lease.with(lease.permits().without(requester));
    }

    private void end(Permit permit, PermitResult result) {
      quota = quota.returned(permit, result, now, !limits.depositAttempts());
      lease = lease.with(lease.permits().returned(permit, result == PermitResult.UNCHANGED));
      put(queue(permit.holder().loadBalancer()).returned(permit, result, limits, now));
      if (result.succeeded()) {
        List<Gate> passed = state().passed(permit, result == PermitResult.SUCCEEDED);
        gates = gates.with(gates.pauses().minusAll(passed));
      }
    }

    /** A requester is gone; a write under its permit may still be in flight. */
    private void lose(Requester requester) {
      registered = registered.minus(requester);
      cancel(requester);
      permit(requester.loadBalancer())
          .filter(permit -> permit.holder().equals(requester))
          .ifPresent(permit -> end(permit, PermitResult.UNRESOLVED));
    }

    private void verified(RateLimiterEvent.Verified verified) {
      LoadBalancerId id = verifications.get(verified.verification());
      verifications = verifications.minus(verified.verification());
      if (id != null) {
        put(queue(id).verified(verified.verification(), verified.result(), now));
      }
    }

    private void changeLease(LeaseGate changed) {
      effects.addAll(changed.effectsSince(lease, now));
      lease = changed;
    }

    /**
     * A 429 without a time leaves a closed gate as it is, and closes an open one for twice as long
     * as the last time (architecture, The rate limiter). Otherwise all retries of a burst would
     * meet the same five-minute window of the network provider.
     */
    private void throttle(RateLimiterEvent.Throttled throttled) {
      Gate gate =
          throttled.loadBalancer().map(Gate::permits).orElse(Gate.subscription(throttled.write()));
      if (throttled.until().isAfter(now)) {
        close(gate, throttled.until());
      } else if (!state().opens(gate).isAfter(now)) {
        Duration pause = limits.pauses().next(Optional.ofNullable(gates.pauses().get(gate)));
        gates = gates.with(gates.pauses().plus(gate, pause));
        close(gate, now.plus(pause));
      }
    }

    private void close(Gate gate, Instant until) {
      if (!state().opens(gate).isAfter(now)) {
        effects.add(new RateLimiterEffect.GateClosed(gate, until));
      }
      gate.loadBalancer()
          .ifPresentOrElse(
              id -> put(queue(id).closed(until)), () -> gates = gates.close(gate.write(), until));
    }

    Decision<RateLimiterState, RateLimiterEffect> decision() {
      PermitAdmission admission = grantAll();
      Reported after = admission.reported();
      effects.addAll(after.since(reported));
      reported = after;
      changeLease(admission.lease());
      return new Decision<>(state(admission.withState(state()).wakeAt()), effects);
    }

    private RateLimiterState state(Optional<Instant> wakeAt) {
      return new RateLimiterState(
          registered,
          queues,
          ageing,
          verifications,
          readers,
          quota,
          gates,
          reported,
          lease,
          numbers,
          wakeAt);
    }

    private RateLimiterState state() {
      return state(Optional.empty());
    }

    private PermitAdmission admission() {
      return PermitAdmission.of(limits, state(), now);
    }

    /** Grants all possible permits; returns the obstacles of the requests that are left. */
    private PermitAdmission grantAll() {
      PermitAdmission admission = admission();
      // Verifications come first: permits that take every read token as it comes would starve them.
      while (admission.verification().isPresent()) {
        verify(admission.verification().get());
        admission = admission();
      }
      if (!readers.isEmpty() && admission.mayRead()) {
        readers.forEach(reader -> effects.add(new RateLimiterEffect.GrantRead(reader)));
        readers.clear();
      }
      while (!admission.grantable().isEmpty()) {
        grant(admission.choose());
        admission = admission();
      }
      return admission;
    }

    private long nextTicket() {
      long ticket = numbers.ticket();
      numbers = new Numbers(numbers.permit(), ticket + 1);
      return ticket;
    }

    private void verify(LoadBalancerQueue queue) {
      long verification = nextTicket();
      Instant deadline = now.plus(RateLimiterLimits.VERIFICATION);
      queue
          .unresolved()
          .map(write -> new RateLimiterEffect.Verify(write.pool(), verification, deadline))
          .ifPresent(effects::add);
      verifications = verifications.plus(verification, queue.id());
      put(queue.verifying(verification));
    }

    private void grant(PermitAdmission.Choice choice) {
      LoadBalancerQueue queue = choice.queue();
      Request request = choice.request();
      PriorityLevel level = request.level();
      ageing =
          ageing
              .granted(EnumSet.allOf(PriorityLevel.class), choice.served(), choice.passedOver())
              .served(request, numbers.permit());
      boolean bypass = !lease.covers(request, now);
      boolean evenIfUpdating = request.overdue() && !bypass;
      Permit permit = new Permit(numbers.permit(), request.requester(), level, now);
      numbers = new Numbers(numbers.permit() + 1, numbers.ticket());
      put(queue.granted(permit, request, choice.passedOver()));
      if (bypass) {
        effects.add(new RateLimiterEffect.LeaseBypassed(permit.holder().pool()));
      }
      Instant deadline = now.plus(limits.permitDeadline());
      if (!lease.off()) {
        Instant until = bypass ? deadline : lease.writesUntil(deadline);
        effects.add(new RateLimiterEffect.WritesUntil(queue.id(), until));
      }
      lease = bypass ? lease.bypassed(permit) : lease.granted(permit, now);
      gates = gates.passed(now);
      quota = quota.granted(level, now, limits.depositAttempts());
      if (level.costsBudget()) {
        reported = reported.retried();
      }
      Instant ready = queue.readySince(request);
      effects.add(
          new RateLimiterEffect.Grant(
              request.requester(),
              new PermitAnswer.Granted(permit.number(), deadline, evenIfUpdating),
              level,
              Duration.between(request.since(), now),
              Duration.between(ready, now),
              queue.gateHeld(request) || reported.limited(level, ready, now)));
    }

    private LoadBalancerQueue queue(LoadBalancerId id) {
      return queues.getOrDefault(id, LoadBalancerQueue.of(id));
    }

    private Optional<Permit> permit(LoadBalancerId id) {
      return queue(id).permit();
    }

    /** Stores a load balancer; forgets it if its state is the default one. */
    private void put(LoadBalancerQueue queue) {
      UnresolvedWrite.transition(queue(queue.id()).unresolved(), queue).ifPresent(effects::add);
      queues = queue.forgettable(now) ? queues.minus(queue.id()) : queues.plus(queue.id(), queue);
    }
  }
}
