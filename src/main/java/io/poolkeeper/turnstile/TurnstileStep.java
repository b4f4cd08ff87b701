package io.poolkeeper.turnstile;

import io.poolkeeper.core.Decision;
import io.poolkeeper.model.Gate;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.TurnResult;
import io.poolkeeper.turnstile.LoadBalancerQueue.Request;
import io.poolkeeper.turnstile.LoadBalancerQueue.Turn;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.pcollections.HashPMap;
import org.pcollections.TreePMap;

/**
 * One step of the turnstile: a working copy of its state, which catches up with the time, takes one
 * event and ends by granting whatever can be granted.
 */
final class TurnstileStep {
  private final TurnstileLimits limits;
  private final Instant now;
  private final List<TurnstileEffect> effects = new ArrayList<>();
  private TreePMap<LoadBalancerId, LoadBalancerQueue> queues;
  private Passes passes;
  private TreePMap<Long, LoadBalancerId> looks;
  private final Set<Reader> readers = EnumSet.noneOf(Reader.class);
  private Quota quota;
  private Gates gates;
  private HashPMap<Gate, Duration> pauses;
  private ReportedBudget reported;
  private LeaseGate lease;
  private long nextTurn;
  private long nextTicket;

  TurnstileStep(TurnstileLimits limits, TurnstileState state, Instant now) {
    this.limits = limits;
    this.now = now;
    queues = state.queues();
    passes = state.passes();
    looks = state.looks();
    readers.addAll(state.readers());
    quota = state.quota().at(now);
    gates = state.gates();
    pauses = state.pauses();
    lease = state.lease();
    nextTurn = state.nextTurn();
    nextTicket = state.nextTicket();
    reported = state.reported();
  }

  /** What time alone has changed since then: gates that opened, and turns that are lost. */
  void catchUp(TurnstileState before) {
    if (before.wakeAt().filter(at -> !at.isAfter(now)).isEmpty()) {
      return;
    }
    for (Gate gate : before.opened(now)) {
      effects.add(new TurnstileEffect.GateOpened(gate));
      // Stored again, as what is known of it may have been its gate alone.
      gate.loadBalancer().ifPresent(id -> put(queue(id)));
    }
    for (Turn turn : before.lost(limits, now)) {
      effects.add(new TurnstileEffect.TurnLost(turn.holder(), turn.number()));
      end(turn, TurnResult.UNRESOLVED);
    }
  }

  void take(TurnstileEvent event) {
    switch (event) {
      case TurnstileEvent.Requested requested -> request(requested);
      case TurnstileEvent.Cancelled cancelled -> cancel(cancelled.requester());
      case TurnstileEvent.Returned back ->
          turn(back.requester().loadBalancer())
              .filter(turn -> turn.number() == back.turn())
              .ifPresent(turn -> end(turn, back.result()));
      case TurnstileEvent.HolderGone gone -> lose(gone.requester());
      case TurnstileEvent.Looked looked -> look(looked);
      case TurnstileEvent.ReadRequested read -> readers.add(read.reader());
      case TurnstileEvent.Sent sent -> quota = quota.sent(sent.write());
      case TurnstileEvent.Throttled throttled -> throttle(throttled);
      case TurnstileEvent.LeaseNeeded needed -> lease = LeaseGate.on(needed.terms());
      // A pool that reads under a session that is over begins no write; one under way goes on.
      case TurnstileEvent.LeaseStands stands -> become(lease.stands(stands.standing()));
      case TurnstileEvent.Writes writes ->
          turn(writes.loadBalancer())
              .ifPresent(turn -> lease = lease.with(lease.turns().writes(turn.number())));
      case TurnstileEvent.Accepted accepted ->
          turn(accepted.loadBalancer())
              .ifPresent(turn -> lease = lease.accepted(turn.number(), now));
      case TurnstileEvent.TimerDue due -> {}
    }
  }

  private void request(TurnstileEvent.Requested requested) {
    Requester requester = requested.requester();
    Optional<Request> before = queue(requester.loadBalancer()).of(requester);
    if (before.map(Request::priority).equals(Optional.of(requested.priority()))) {
      return;
    }
    before.ifPresent(old -> put(queue(requester.loadBalancer()).left(old)));
    Request request =
        before
            .map(old -> old.with(requested.priority()))
            .orElseGet(
                () -> new Request(requester, requested.priority(), nextTicket++, now, false));
    lease = lease.with(lease.turns().asked(request, limits.turnDeadline()));
    put(queue(requester.loadBalancer()).joined(request));
  }

  private void cancel(Requester requester) {
    LoadBalancerQueue queue = queue(requester.loadBalancer());
    queue.of(requester).map(queue::left).ifPresent(this::put);
    lease = lease.with(lease.turns().without(requester));
  }

  private void end(Turn turn, TurnResult result) {
    quota = quota.returned(turn, result, now, !limits.depositAttempts());
    lease = lease.with(lease.turns().returned(turn, result == TurnResult.UNCHANGED));
    put(queue(turn.holder().loadBalancer()).returned(turn, result, limits, now));
    if (result.succeeded()) {
      pauses = pauses.minusAll(state().passed(turn, result == TurnResult.SUCCEEDED));
    }
  }

  /** A requester is no more; a write of its may run on. */
  private void lose(Requester requester) {
    cancel(requester);
    turn(requester.loadBalancer())
        .filter(turn -> turn.holder().equals(requester))
        .ifPresent(turn -> end(turn, TurnResult.UNRESOLVED));
  }

  private void look(TurnstileEvent.Looked looked) {
    LoadBalancerId id = looks.get(looked.look());
    looks = looks.minus(looked.look());
    if (id != null) {
      put(queue(id).looked(looked.look(), looked.result(), now));
    }
  }

  private void become(LeaseGate next) {
    lease.turns().endedIn(next.turns()).stream()
        .map(
            turn ->
                new TurnstileEffect.Recall(
                    turn.holder(), new TurnAnswer.Recalled(turn.number(), now)))
        .forEach(effects::add);
    if (!next.demand().equals(lease.demand())) {
      effects.add(new TurnstileEffect.DemandLease(next.demand()));
    }
    lease = next;
  }

  /**
   * If ARM does not say for how long, a gate that is closed already stays as it is, and one that is
   * open is closed for twice as long as the last time (architecture, The turnstile). Otherwise all
   * retries of a burst would meet the same five-minute window of the network provider.
   */
  private void throttle(TurnstileEvent.Throttled throttled) {
    Gate gate =
        throttled.loadBalancer().map(Gate::turns).orElse(Gate.subscription(throttled.write()));
    if (throttled.until().isAfter(now)) {
      close(gate, throttled.until());
    } else if (!state().opens(gate).isAfter(now)) {
      Duration pause = limits.pause(Optional.ofNullable(pauses.get(gate)));
      pauses = pauses.plus(gate, pause);
      close(gate, now.plus(pause));
    }
  }

  private void close(Gate gate, Instant until) {
    if (!state().opens(gate).isAfter(now)) {
      effects.add(new TurnstileEffect.GateClosed(gate, until));
    }
    gate.loadBalancer()
        .ifPresentOrElse(
            id -> put(queue(id).closed(until)), () -> gates = gates.close(gate.write(), until));
  }

  Decision<TurnstileState, TurnstileEffect> decision() {
    TurnAdmission admission = grantAll();
    effects.addAll(admission.budget().since(reported));
    reported = admission.budget();
    become(admission.lease());
    return new Decision<>(state(admission.in(state()).wakeAt()), effects);
  }

  private TurnstileState state() {
    return state(Optional.empty());
  }

  private TurnstileState state(Optional<Instant> wakeAt) {
    return new TurnstileState(
        queues,
        passes,
        looks,
        readers,
        quota,
        gates,
        pauses,
        reported,
        lease,
        nextTurn,
        nextTicket,
        wakeAt);
  }

  private TurnAdmission admission() {
    return TurnAdmission.of(limits, state(), now);
  }

  /** Returns what stands in the way of those who are left. */
  private TurnAdmission grantAll() {
    TurnAdmission admission = admission();
    // First of all, or else turns that take every read token as it comes would starve them.
    while (admission.look().isPresent()) {
      look(admission.look().get());
      admission = admission();
    }
    if (!readers.isEmpty() && admission.mayRead()) {
      readers.forEach(reader -> effects.add(new TurnstileEffect.GrantRead(reader)));
      readers.clear();
    }
    while (!admission.going().isEmpty()) {
      grant(admission);
      admission = admission();
    }
    return admission;
  }

  private void look(LoadBalancerQueue queue) {
    queue.settling().ifPresent(any -> effects.add(any.lookAt(nextTicket, now)));
    looks = looks.plus(nextTicket, queue.id());
    put(queue.looking(nextTicket++));
  }

  /** The first load balancer of a lane has its turn; there, a lane may be late that is not here. */
  private void grant(TurnAdmission admission) {
    Set<Lane> going = admission.going();
    Lane chosen = admission.choose();
    LoadBalancerQueue queue = queue(admission.first(chosen)).overdue();
    Lane lane = chosen == Lane.DRAIN ? chosen : queue.passes().starved(going).orElse(chosen);
    Set<Lane> passedOver = lane == Lane.DRAIN ? Set.of() : going;
    // The lane that was chosen starts again at none, even if another one has the turn: its head is
    // late at its load balancer now, where that is counted. So does a lane whose head is served.
    boolean both = admission.first(lane).equals(queue.id());
    Set<Lane> served = EnumSet.of(chosen, both ? lane : chosen);
    passes = passes.granted(EnumSet.allOf(Lane.class), served, passedOver);
    Request request = queue.next(lane);
    boolean bypass = !lease.carries(request, now);
    boolean limitOver = request.overdue() && !bypass;
    Turn turn = new Turn(nextTurn++, request.requester(), lane, now);
    put(queue.granted(turn, request, passedOver));
    if (bypass) {
      effects.add(new TurnstileEffect.LeaseBypassed(turn.holder().pool()));
    }
    Instant deadline = now.plus(limits.turnDeadline());
    if (!lease.off()) {
      Instant until = bypass ? deadline : lease.writesUntil(deadline);
      effects.add(new TurnstileEffect.WritesUntil(queue.id(), until));
    }
    lease = bypass ? lease.bypassed(turn) : lease.granted(turn, now);
    gates = gates.passed(now);
    quota = quota.granted(lane, now, limits.depositAttempts());
    if (lane.costsBudget()) {
      reported = reported.retried();
    }
    effects.add(
        new TurnstileEffect.Grant(
            request.requester(),
            new TurnAnswer.Granted(turn.number(), deadline, limitOver),
            lane,
            Duration.between(request.since(), now),
            Duration.between(queue.readySince(request), now)));
  }

  private LoadBalancerQueue queue(LoadBalancerId id) {
    return queues.getOrDefault(id, LoadBalancerQueue.of(id));
  }

  private Optional<Turn> turn(LoadBalancerId id) {
    return queue(id).turn();
  }

  /** Stores a load balancer, if there is something to know of it. */
  private void put(LoadBalancerQueue next) {
    Settling.transition(queue(next.id()).settling(), next).ifPresent(effects::add);
    queues = next.forgettable(now) ? queues.minus(next.id()) : queues.plus(next.id(), next);
  }
}
