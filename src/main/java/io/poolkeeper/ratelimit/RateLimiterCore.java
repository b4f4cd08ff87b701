package io.poolkeeper.ratelimit;

import io.poolkeeper.core.Core;
import io.poolkeeper.core.Decision;
import io.poolkeeper.model.Gate;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.TurnResult;
import io.poolkeeper.ratelimit.LoadBalancerQueue.Request;
import io.poolkeeper.ratelimit.LoadBalancerQueue.Turn;
import io.poolkeeper.ratelimit.RateLimiterState.Numbers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.pcollections.TreePMap;

/**
 * The policy of admission to ARM (spec 3, "decide, schedule, admit"; architecture, The rate
 * limiter): which of the requesting pools may call ARM for which load balancer now.
 */
public record RateLimiterCore(RateLimiterLimits limits)
    implements Core<RateLimiterState, RateLimiterEvent, RateLimiterEffect> {
  /** Deterministic: {@code random} is not used. */
  @Override
  public Decision<RateLimiterState, RateLimiterEffect> decide(
      RateLimiterState state, RateLimiterEvent event, Instant now, RandomGenerator random) {
    Step step = new Step(state, now);
    step.catchUp(state);
    step.take(event);
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
    private TreePMap<LoadBalancerId, LoadBalancerQueue> queues;
    private Ageing ageing;
    private TreePMap<Long, LoadBalancerId> verifications;
    private final Set<Reader> readers = EnumSet.noneOf(Reader.class);
    private Quota quota;
    private Gates gates;
    private ReportedBudget reported;
    private LeaseGate lease;
    private LimitedLanes limited;
    private Numbers next;

    Step(RateLimiterState state, Instant now) {
      this.now = now;
      queues = state.queues();
      ageing = state.ageing();
      verifications = state.verifications();
      readers.addAll(state.readers());
      quota = state.quota().at(now);
      gates = state.gates();
      lease = state.lease();
      limited = state.limited();
      next = state.next();
      reported = state.reported();
    }

    /** Applies what time alone has changed: gates that opened, and turns that are lost. */
    void catchUp(RateLimiterState before) {
      if (before.wakeAt().filter(at -> !at.isAfter(now)).isEmpty()) {
        return;
      }
      for (Gate gate : before.opened(now)) {
        effects.add(new RateLimiterEffect.GateOpened(gate));
        // Storing the queue again forgets it if only its gate was known.
        gate.loadBalancer().ifPresent(id -> put(queue(id)));
      }
      for (Turn turn : before.lost(limits, now)) {
        effects.add(new RateLimiterEffect.TurnLost(turn.holder(), turn.number()));
        end(turn, TurnResult.UNRESOLVED);
      }
    }

    void take(RateLimiterEvent event) {
      switch (event) {
        case RateLimiterEvent.Requested requested -> request(requested);
        case RateLimiterEvent.Cancelled cancelled -> cancel(cancelled.requester());
        case RateLimiterEvent.Returned back ->
            turn(back.requester().loadBalancer())
                .filter(turn -> turn.number() == back.turn())
                .filter(turn -> turn.holder().equals(back.requester()))
                .ifPresent(turn -> end(turn, back.result()));
        case RateLimiterEvent.HolderGone gone -> lose(gone.requester());
        case RateLimiterEvent.Verified verified -> verified(verified);
        case RateLimiterEvent.ReadRequested read -> readers.add(read.reader());
        case RateLimiterEvent.Sent sent -> quota = quota.sent(sent.write());
        case RateLimiterEvent.Throttled throttled -> throttle(throttled);
        case RateLimiterEvent.LeaseNeeded needed -> lease = LeaseGate.on(needed.terms());
        // A pool whose session ends while it reads begins no write; a write in flight goes on.
        case RateLimiterEvent.LeaseStands stands -> become(lease.stands(stands.standing()));
        case RateLimiterEvent.Writes writes ->
            turn(writes.loadBalancer())
                .ifPresent(
                    turn -> lease = lease.with(lease.turns().writes(turn.number(), Instant.MAX)));
        case RateLimiterEvent.Accepted accepted ->
            turn(accepted.loadBalancer())
                .ifPresent(turn -> lease = lease.accepted(turn.number(), now));
        case RateLimiterEvent.TimerDue due -> {}
      }
    }

    private void request(RateLimiterEvent.Requested requested) {
      Requester requester = requested.requester();
      Optional<Request> before = queue(requester.loadBalancer()).requests().of(requester);
      if (before.map(Request::priority).equals(Optional.of(requested.priority()))) {
        return;
      }
      before.ifPresent(old -> put(queue(requester.loadBalancer()).left(old)));
      Request request =
          before
              .map(old -> old.with(requested.priority()))
              .orElseGet(() -> new Request(requester, requested.priority(), ticket(), now, false));
      lease = lease.with(lease.turns().asked(request, limits.turnDeadline()));
      put(queue(requester.loadBalancer()).joined(request));
    }

    private void cancel(Requester requester) {
      LoadBalancerQueue queue = queue(requester.loadBalancer());
      queue.requests().of(requester).map(queue::left).ifPresent(this::put);
      lease = lease.with(lease.turns().without(requester));
    }

    private void end(Turn turn, TurnResult result) {
      quota = quota.returned(turn, result, now, !limits.depositAttempts());
      lease = lease.with(lease.turns().returned(turn, result == TurnResult.UNCHANGED));
      put(queue(turn.holder().loadBalancer()).returned(turn, result, limits, now));
      if (result.succeeded()) {
        List<Gate> passed = state().passed(turn, result == TurnResult.SUCCEEDED);
        gates = gates.with(gates.pauses().minusAll(passed));
      }
    }

    /** A requester is gone; a write in its turn may still be in flight. */
    private void lose(Requester requester) {
      cancel(requester);
      turn(requester.loadBalancer())
          .filter(turn -> turn.holder().equals(requester))
          .ifPresent(turn -> end(turn, TurnResult.UNRESOLVED));
    }

    private void verified(RateLimiterEvent.Verified verified) {
      LoadBalancerId id = verifications.get(verified.verification());
      verifications = verifications.minus(verified.verification());
      if (id != null) {
        put(queue(id).verified(verified.verification(), verified.result(), now));
      }
    }

    private void become(LeaseGate changed) {
      effects.addAll(changed.since(lease, now));
      lease = changed;
    }

    /**
     * A 429 without a time leaves a closed gate as it is, and closes an open one for twice as long
     * as the last time (architecture, The rate limiter). Otherwise all retries of a burst would
     * meet the same five-minute window of the network provider.
     */
    private void throttle(RateLimiterEvent.Throttled throttled) {
      Gate gate =
          throttled.loadBalancer().map(Gate::turns).orElse(Gate.subscription(throttled.write()));
      if (throttled.until().isAfter(now)) {
        close(gate, throttled.until());
      } else if (!state().opens(gate).isAfter(now)) {
        Duration pause = limits.pause(Optional.ofNullable(gates.pauses().get(gate)));
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
      TurnAdmission admission = grantAll();
      effects.addAll(admission.budget().since(reported));
      reported = admission.budget();
      limited = admission.limited();
      become(admission.lease());
      return new Decision<>(state(admission.in(state()).wakeAt()), effects);
    }

    private RateLimiterState state(Optional<Instant> wakeAt) {
      return new RateLimiterState(
          queues,
          ageing,
          verifications,
          readers,
          quota,
          gates,
          reported,
          lease,
          limited,
          next,
          wakeAt);
    }

    private RateLimiterState state() {
      return state(Optional.empty());
    }

    private TurnAdmission admission() {
      return TurnAdmission.of(limits, state(), now);
    }

    /** Grants all possible turns; returns the obstacles of the requests that are left. */
    private TurnAdmission grantAll() {
      TurnAdmission admission = admission();
      // Verifications come first: turns that take every read token as it comes would starve them.
      while (admission.verification().isPresent()) {
        verify(admission.verification().get());
        admission = admission();
      }
      if (!readers.isEmpty() && admission.mayRead()) {
        readers.forEach(reader -> effects.add(new RateLimiterEffect.GrantRead(reader)));
        readers.clear();
      }
      while (!admission.going().isEmpty()) {
        grant(admission.choose());
        admission = admission();
      }
      return admission;
    }

    private long ticket() {
      long ticket = next.ticket();
      next = new Numbers(next.turn(), ticket + 1);
      return ticket;
    }

    private void verify(LoadBalancerQueue queue) {
      long verification = ticket();
      queue.unresolved().ifPresent(any -> effects.add(any.verify(verification, now)));
      verifications = verifications.plus(verification, queue.id());
      put(queue.verifying(verification));
    }

    private void grant(TurnAdmission.Choice choice) {
      LoadBalancerQueue queue = choice.queue();
      Request request = choice.request();
      Lane lane = request.lane();
      ageing =
          ageing
              .granted(EnumSet.allOf(Lane.class), choice.served(), choice.passedOver())
              .served(request, next.turn());
      boolean bypass = !lease.carries(request, now);
      boolean limitOver = request.overdue() && !bypass;
      Turn turn = new Turn(next.turn(), request.requester(), lane, now);
      next = new Numbers(next.turn() + 1, next.ticket());
      put(queue.granted(turn, request, choice.passedOver()));
      if (bypass) {
        effects.add(new RateLimiterEffect.LeaseBypassed(turn.holder().pool()));
      }
      Instant deadline = now.plus(limits.turnDeadline());
      if (!lease.off()) {
        Instant until = bypass ? deadline : lease.writesUntil(deadline);
        effects.add(new RateLimiterEffect.WritesUntil(queue.id(), until));
      }
      lease = bypass ? lease.bypassed(turn) : lease.granted(turn, now);
      gates = gates.passed(now);
      quota = quota.granted(lane, now, limits.depositAttempts());
      if (lane.costsBudget()) {
        reported = reported.retried();
      }
      Instant ready = queue.readySince(request);
      effects.add(
          new RateLimiterEffect.Grant(
              request.requester(),
              new TurnAnswer.Granted(turn.number(), deadline, limitOver),
              lane,
              Duration.between(request.since(), now),
              Duration.between(ready, now),
              queue.gateHeld(request) || limited.held(lane, ready, now)));
    }

    private LoadBalancerQueue queue(LoadBalancerId id) {
      return queues.getOrDefault(id, LoadBalancerQueue.of(id));
    }

    private Optional<Turn> turn(LoadBalancerId id) {
      return queue(id).turn();
    }

    /** Stores a load balancer; forgets it if its state is the default one. */
    private void put(LoadBalancerQueue queue) {
      UnresolvedWrite.transition(queue(queue.id()).unresolved(), queue).ifPresent(effects::add);
      queues = queue.forgettable(now) ? queues.minus(queue.id()) : queues.plus(queue.id(), queue);
    }
  }
}
