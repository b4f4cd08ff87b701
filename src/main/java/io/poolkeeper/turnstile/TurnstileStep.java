package io.poolkeeper.turnstile;

import io.poolkeeper.core.Decision;
import io.poolkeeper.lock.LeaseDemand;
import io.poolkeeper.lock.LeaseStanding;
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
import java.util.function.Predicate;
import java.util.stream.Stream;
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
  private final Lanes lanes;
  private HashPMap<LoadBalancerId, LoadBalancerQueue> queues;
  private HashPMap<Requester, Request> requests;
  private TreePMap<Long, LoadBalancerId> out;
  private Looks looks;
  private final Set<Reader> readers = EnumSet.noneOf(Reader.class);
  private Quota quota;
  private Gates gates;
  private UnannouncedPauses pauses;
  private final TransitionReporter reporter;
  private LeaseGate lease;
  private long nextTurn;
  private long nextTicket;

  TurnstileStep(TurnstileLimits limits, TurnstileState state, Instant now) {
    this.limits = limits;
    this.now = now;
    lanes = new Lanes(state.lanes(), state.asleep(), now);
    queues = state.queues();
    requests = state.requests();
    out = state.out();
    looks = state.looks();
    readers.addAll(state.readers());
    quota = state.quota().at(now);
    gates = state.gates();
    pauses = state.pauses();
    lease = state.lease();
    nextTurn = state.nextTurn();
    nextTicket = state.nextTicket();
    reporter = new TransitionReporter(state.reported(), now, effects);
  }

  /** What time alone has changed: gates that opened, load balancers that are free, turns lost. */
  void catchUp() {
    // Stored again, as what is known of it may have been its gate alone.
    reporter.open(gates).forEach(id -> put(queue(id)));
    lanes.wake().forEach(id -> put(queue(id)));
    expire();
  }

  void request(Requester requester, Priority priority) {
    Optional<Request> before = Optional.ofNullable(requests.get(requester));
    if (before.map(request -> request.priority().equals(priority)).orElse(false)) {
      return;
    }
    before.ifPresent(this::remove);
    Request request =
        before
            .map(old -> old.with(priority))
            .orElseGet(() -> new Request(requester, priority, nextTicket++, now, false));
    requests = requests.plus(requester, request);
    lease = lease.with(lease.turns().asked(request, limits.turnDeadline()));
    put(queue(requester.loadBalancer()).joined(request));
  }

  void cancel(Requester requester) {
    Optional.ofNullable(requests.get(requester)).ifPresent(this::remove);
    lease = lease.with(lease.turns().without(requester));
  }

  void giveBack(TurnstileEvent.Returned back) {
    LoadBalancerQueue queue = queue(back.requester().loadBalancer());
    Optional<Turn> turn = queue.turn().filter(held -> held.number() == back.turn());
    if (turn.isEmpty()) {
      return;
    }
    quota = quota.returned(turn.get(), back.result(), now, !limits.depositAttempts());
    LoadBalancerQueue returned = takeBack(queue, turn.get(), back.result() == TurnResult.UNCHANGED);
    LoadBalancerQueue free =
        back.result().contested()
            ? returned.earlyNotBefore(now.plus(TurnstileLimits.OTHER_WRITER_QUIET))
            : returned;
    put(back.result().settles() ? settling(free, turn.get()) : free);
    if (back.result().succeeded()) {
      answered(turn.get(), back.result() == TurnResult.SUCCEEDED);
    }
  }

  /**
   * ARM took the calls of a turn: those gates that were open when it began are not closed longer.
   */
  private void answered(Turn turn, boolean wrote) {
    LoadBalancerId id = turn.holder().loadBalancer();
    Stream.of(Gate.subscription(false), Gate.subscription(true), Gate.turns(id))
        .filter(gate -> wrote || !gate.write())
        .filter(gate -> !opens(gate).isAfter(turn.since()))
        .forEach(gate -> pauses = pauses.succeeded(gate));
  }

  /** From when ARM takes the calls of a gate. */
  private Instant opens(Gate gate) {
    return gate.loadBalancer()
        .map(id -> queue(id).gate())
        .orElse(gate.write() ? gates.writesFrom() : gates.readsFrom());
  }

  private LoadBalancerQueue takeBack(LoadBalancerQueue queue, Turn turn, boolean read) {
    out = out.minus(turn.number());
    lease = lease.with(lease.turns().returned(turn, read));
    if (turn.lane() != Lane.EARLY) {
      return queue.returned();
    }
    Duration pause = limits.early().pause(Duration.between(turn.since(), now));
    return queue.returned().earlyNotBefore(now.plus(pause));
  }

  /** A turn is over without a result: a write of its may run on. */
  private void end(LoadBalancerQueue queue, Turn turn) {
    quota = quota.ended(turn);
    put(settling(takeBack(queue, turn, false), turn));
  }

  /** A requester is no more; a write of its may run on. */
  void lose(Requester requester) {
    cancel(requester);
    LoadBalancerQueue queue = queue(requester.loadBalancer());
    queue
        .turn()
        .filter(turn -> turn.holder().equals(requester))
        .ifPresent(turn -> end(queue, turn));
  }

  /** A look has ended; it counts if the load balancer still settles, and since before the look. */
  void looked(TurnstileEvent.Looked looked) {
    LoadBalancerId id = looks.inFlight().get(looked.look());
    looks = looks.ended(looked.look());
    if (id == null) {
      return;
    }
    LoadBalancerQueue queue = queue(id);
    queue
        .settling()
        .filter(settling -> settling.look().equals(Optional.of(looked.look())))
        .map(
            settling ->
                looked.result() == LookResult.SETTLED
                    ? queue.settled()
                    : queue.with(settling.again(now)))
        .ifPresent(this::put);
  }

  void needLease(LeaseTerms terms) {
    lease = LeaseGate.on(terms);
  }

  /** A pool that reads under a session that is over begins no write; a write under way goes on. */
  void leaseStands(LeaseStanding standing) {
    become(lease.stands(standing));
  }

  private void become(LeaseGate next) {
    lease.turns().endedIn(next.turns()).stream()
        .map(turn -> new TurnstileEffect.Recall(turn.holder(), turn.number(), now))
        .forEach(effects::add);
    lease = next;
  }

  /** A write is sent at a load balancer, where one turn is out at most. */
  void writes(LoadBalancerId id) {
    queue(id).turn().ifPresent(turn -> lease = lease.with(lease.turns().writes(turn.number())));
  }

  void accepted(LoadBalancerId id) {
    queue(id).turn().ifPresent(turn -> lease = lease.accepted(turn.number(), now));
  }

  void requestRead(Reader reader) {
    readers.add(reader);
  }

  void sent(boolean write) {
    quota = quota.sent(write);
  }

  /** If ARM does not say for how long, a gate that is closed already stays as it is. */
  void throttle(TurnstileEvent.Throttled throttled) {
    Gate gate =
        throttled.loadBalancer().map(Gate::turns).orElse(Gate.subscription(throttled.write()));
    if (throttled.until().isAfter(now)) {
      close(gate, throttled.until());
    } else if (!opens(gate).isAfter(now)) {
      Duration pause = pauses.next(gate, limits);
      pauses = pauses.closed(gate, pause);
      close(gate, now.plus(pause));
    }
  }

  private void close(Gate gate, Instant until) {
    gate.loadBalancer().ifPresent(id -> put(queue(id).closed(until)));
    if (gate.loadBalancer().isEmpty()) {
      gates = gates.close(gate.write(), until);
      reporter.closed(gates, gate.write());
    }
  }

  Decision<TurnstileState, TurnstileEffect> decision() {
    Admission admission = grantAll();
    boolean broke = !quota.budget().canWithdraw(now);
    boolean heldBack =
        broke
            && Lanes.occupied(lanes.all())
                .map(admission::obstacle)
                .anyMatch(Obstacle.RETRY_BUDGET::equals);
    reporter.budget(heldBack, broke);
    demandLease(admission);
    TurnstileState next =
        new TurnstileState(
            queues,
            requests,
            lanes.all(),
            lanes.asleep(),
            out,
            looks,
            readers,
            quota,
            gates,
            pauses,
            nextTurn,
            nextTicket,
            reporter.reported(),
            lease);
    return new Decision<>(next, effects);
  }

  /** Turns that were not given back in time are free, but their writes may run on. */
  private void expire() {
    while (!out.isEmpty()) {
      LoadBalancerQueue queue = queue(out.firstEntry().getValue());
      Turn turn = queue.turn().orElseThrow();
      if (turn.since().plus(limits.turnDeadline()).isAfter(now)) {
        return;
      }
      effects.add(new TurnstileEffect.TurnLost(turn.holder(), turn.number()));
      end(queue, turn);
    }
  }

  /** The end of a write to the pool of the turn is waited for. */
  private LoadBalancerQueue settling(LoadBalancerQueue queue, Turn turn) {
    return queue.with(Settling.begin(turn.holder().pool(), now, limits.settleLimit()));
  }

  /** Returns what stands in the way of those who are left. */
  private Admission grantAll() {
    look();
    Admission admission = admission();
    // First, or else turns that take every read token as it comes would starve them.
    if (!readers.isEmpty() && admission.mayRead()) {
      readers.forEach(reader -> effects.add(new TurnstileEffect.GrantRead(reader)));
      readers.clear();
    }
    Optional<Lane> lane = lanes.choose(admission.order(), goes(admission));
    while (lane.isPresent()) {
      grant(lane.get(), goes(admission));
      admission = admission();
      lane = lanes.choose(admission.order(), goes(admission));
    }
    return admission;
  }

  /** The lanes with a head that may go now. */
  private Predicate<Lane> goes(Admission admission) {
    return lane -> !admission.goesFrom(lane, lanes.all(), lease).isAfter(now);
  }

  /** The Lease is not wanted while a token, a gate or anything else is missing, too. */
  private void demandLease(Admission admission) {
    List<Lane> occupied = Lanes.occupied(lanes.all()).toList();
    List<Lane> wanting = occupied.stream().filter(admission::mayGo).toList();
    LeaseDemand before = lease.demand();
    boolean drain = wanting.stream().anyMatch(Lane::drains);
    boolean later = !out.isEmpty() || occupied.stream().anyMatch(Lane::drains);
    become(lease.demanding(!wanting.isEmpty(), drain, later, now));
    if (!lease.demand().equals(before)) {
      effects.add(new TurnstileEffect.DemandLease(lease.demand()));
    }
  }

  /** Before all else: turns of other load balancers would take every read token as it comes. */
  private void look() {
    Optional<LoadBalancerId> due = looks.due(now);
    while (due.isPresent()
        && looks.inFlight().size() < limits.maxInFlight()
        && admission().mayRead()) {
      LoadBalancerQueue queue = queue(due.get());
      Settling settling = queue.settling().orElseThrow();
      effects.add(settling.lookAt(looks.nextNumber(), now));
      put(queue.with(settling.looking(looks.nextNumber())));
      looks = looks.begun(queue.id());
      due = looks.due(now);
    }
  }

  private Admission admission() {
    return new Admission(limits, now, gates, quota, queues, out, looks.inFlight().size());
  }

  /** The first load balancer of a lane has its turn; there, a lane may be late that is not here. */
  private void grant(Lane chosen, Predicate<Lane> mayGo) {
    LoadBalancerQueue queue = overdue(queue(lanes.first(chosen)));
    Lane lane = chosen == Lane.DRAIN ? chosen : queue.starved(mayGo).orElse(chosen);
    lanes.countPasses(chosen, lane, queue.id(), mayGo);
    Request request = queue.next(lane);
    boolean bypass = !lease.carries(request, now);
    boolean limitOver = request.overdue() && !bypass;
    Turn turn = new Turn(nextTurn++, request.requester(), lane, now);
    LoadBalancerQueue left =
        queue
            .left(request)
            .granted(turn, request.ticket(), late -> lane != Lane.DRAIN && mayGo.test(late));
    requests = requests.minus(request.requester());
    put(left.settled());
    out = out.plus(turn.number(), queue.id());
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
      reporter.retried();
    }
    effects.add(
        new TurnstileEffect.Grant(
            request.requester(),
            turn.number(),
            lane,
            deadline,
            limitOver,
            Duration.between(request.since(), now),
            Duration.between(queue.readySince(request), now)));
  }

  /**
   * Somebody has a turn: what was waited for, if anything, was waited for long enough. Only the
   * pool that it was about may write over it, now or in its next turn.
   */
  private LoadBalancerQueue overdue(LoadBalancerQueue queue) {
    Optional<Request> overdue =
        queue.settling().map(Settling::pool).flatMap(queue::of).map(Request::asOverdue);
    overdue.ifPresent(request -> requests = requests.plus(request.requester(), request));
    return overdue.map(queue::joined).orElse(queue);
  }

  private void remove(Request request) {
    requests = requests.minus(request.requester());
    put(queue(request.requester().loadBalancer()).left(request));
  }

  private LoadBalancerQueue queue(LoadBalancerId id) {
    LoadBalancerQueue known = queues.get(id);
    return known == null ? LoadBalancerQueue.of(id) : known;
  }

  /** Stores a load balancer, and puts it in its place. */
  private void put(LoadBalancerQueue changed) {
    LoadBalancerQueue old = queue(changed.id());
    LoadBalancerQueue next = changed.freed(old, now);
    reporter.changed(old, next);
    lanes.place(old, next);
    looks = looks.placed(old, next, now);
    queues = next.forgettable(now) ? queues.minus(next.id()) : queues.plus(next.id(), next);
  }
}
