package io.poolkeeper.turnstile;

import io.poolkeeper.turnstile.LoadBalancerQueue.Request;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Who may have a turn, what is in the way of the others, and when that ends: one answer for grants,
 * for the timer and for people (architecture, The turnstile). The budget is checked last (spec 3,
 * Retry budgets): a turn that is refused for another reason must not cost a retry.
 *
 * <p>As things are at one moment: after a grant there is another one.
 */
record TurnAdmission(
    TurnstileLimits limits, TurnstileState state, Scan scan, Instant now, Quota quota) {
  /** As things are, or were at the last event if that was later. */
  static TurnAdmission of(TurnstileLimits limits, TurnstileState state, Instant time) {
    Instant now = later(time, state.asOf());
    Scan scan = Scan.of(state.queues().values(), limits.turnDeadline(), now);
    return new TurnAdmission(limits, state, scan, now, state.quota().at(now));
  }

  /** In a state in which all load balancers are the same. */
  TurnAdmission in(TurnstileState next) {
    return new TurnAdmission(limits, next, scan, now, next.quota().at(now));
  }

  /** What stands in the way of a lane, besides its load balancers and the Lease. */
  Wait wait(Lane lane) {
    int out = scan.out();
    Gates gates = state.gates();
    boolean closed = now.isBefore(gates.turnsFrom());
    Wait wait =
        Wait.none(now)
            .then(full(lane), Obstacle.IN_FLIGHT, scan.deadline())
            .then(
                !gates.passable(now),
                closed ? Obstacle.SUBSCRIPTION_GATE : Obstacle.SLOW_START,
                gates.nextChange(now))
            .then(Obstacle.READ_TOKENS, readsFrom(), now)
            .then(
                !quota.writes().allow(lane, out, scan.drains()),
                Obstacle.WRITE_TOKENS,
                quota.writes().allowAt(lane, out, scan.drains()));
    if (lane == Lane.EARLY) {
      return wait.then(Obstacle.EARLY_TOKENS, quota.early().holdsAt(1), now);
    }
    Instant then = wait.from();
    return lane.costsBudget() && then.isBefore(Instant.MAX)
        ? wait.then(
            Obstacle.RETRY_BUDGET, quota.budget().nextWithdrawal(then).orElse(Instant.MAX), then)
        : wait;
  }

  /**
   * What stands in the way of a request. One behind another of a free load balancer waits for the
   * same.
   */
  Wait wait(Request request) {
    Lane lane = request.lane();
    Wait here =
        state.queue(request.requester().loadBalancer()).wait(lane, limits.turnDeadline(), now);
    return (here.isOver() ? wait(lane) : here)
        .then(!state.lease().open(lane, now), Obstacle.LEASE, state.lease().freeFrom(request, now));
  }

  /** The lanes whose head may go now. */
  Set<Lane> going() {
    Set<Lane> going = EnumSet.noneOf(Lane.class);
    scan.heads()
        .forEach(
            (lane, head) -> {
              if (wait(lane).isOver() && !state.lease().from(head, now).isAfter(now)) {
                going.add(lane);
              }
            });
    return going;
  }

  /**
   * Who has the next turn.
   *
   * @param passedOver the lanes that could have had it
   * @param served the lanes whose passes over their heads start again at none
   */
  record Choice(LoadBalancerQueue queue, Lane lane, Set<Lane> passedOver, Set<Lane> served) {}

  /**
   * Of the lanes that may go, of which there is one, the most urgent is chosen, unless another is
   * starved. The turn is at the load balancer of its head; another lane that is starved there has
   * it instead. The chosen lane starts again all the same: its head is passed over at its load
   * balancer, where that is counted.
   */
  Choice choose() {
    Set<Lane> going = going();
    Lane chosen = lane(going);
    LoadBalancerQueue queue = first(chosen).overdue();
    Lane lane =
        chosen == Lane.DRAIN ? chosen : queue.requests().passes().starved(going).orElse(chosen);
    boolean headServed = first(lane).id().equals(queue.id());
    Set<Lane> passedOver = lane == Lane.DRAIN ? Set.of() : going;
    return new Choice(queue, lane, passedOver, EnumSet.of(chosen, headServed ? lane : chosen));
  }

  /** Retried drains may need a token that updates need, too. */
  private Lane lane(Set<Lane> going) {
    List<Lane> order = quota.writes().reserved(scan.drains()) ? Lane.ORDER : Lane.ON_COMMON;
    List<Lane> lanes = order.stream().filter(going::contains).toList();
    Lane first = lanes.getFirst();
    return first == Lane.DRAIN ? first : state.passes().starved(lanes).orElse(first);
  }

  /** The load balancer of the head of a lane, which has one. */
  private LoadBalancerQueue first(Lane lane) {
    Request head = Objects.requireNonNull(scan.heads().get(lane));
    return state.queue(head.requester().loadBalancer());
  }

  /** The Lease is not wanted while a token, a gate or anything else is missing, too. */
  LeaseGate lease() {
    Set<Lane> waiting = scan.heads().keySet();
    List<Lane> wanting = waiting.stream().filter(lane -> wait(lane).isOver()).toList();
    boolean drain = wanting.stream().anyMatch(Lane::drains);
    boolean later = scan.out() > 0 || waiting.stream().anyMatch(Lane::drains);
    return state.lease().demanding(!wanting.isEmpty(), drain, later, now);
  }

  /** What is to be reported of the retry budget: whether somebody waits for it, or it is empty. */
  ReportedBudget budget() {
    return state
        .reported()
        .with(
            scan.heads().keySet().stream()
                .anyMatch(lane -> wait(lane).why() == Obstacle.RETRY_BUDGET),
            !quota.budget().canWithdraw(now));
  }

  /** The load balancer that must be looked at now, if that may be. */
  Optional<LoadBalancerQueue> look() {
    return scan.look().filter(queue -> !lookFrom().isAfter(now));
  }

  /** Looks come before all else: other turns would take every read token as it comes. */
  private Instant lookFrom() {
    return state.looks().size() < limits.maxInFlight()
        ? later(scan.lookFrom(), mayReadFrom())
        : Instant.MAX;
  }

  /** When a listing or a look may be made, which are no turns and only read. */
  private Instant mayReadFrom() {
    return later(readsFrom(), state.gates().readsFrom());
  }

  boolean mayRead() {
    return !mayReadFrom().isAfter(now);
  }

  /** When there is a read token for one more, and for all who may read still. */
  private Instant readsFrom() {
    return quota.reads().holdsAt(scan.out() + state.looks().size() + 1);
  }

  /** What is early leaves half of the room to others. */
  private boolean full(Lane lane) {
    int counted = lane == Lane.EARLY ? 2 * scan.out() : scan.out();
    return counted >= limits.maxInFlight();
  }

  /** When time alone changes something; empty if never. */
  Optional<Instant> wakeAt() {
    List<Instant> times = new ArrayList<>(List.of(scan.next(), scan.deadline(), lookFrom()));
    times.addAll(List.of(state.gates().readsFrom(), state.gates().writesFrom()));
    times.add(state.readers().isEmpty() ? Instant.MAX : mayReadFrom());
    times.add(state.lease().endsAt());
    scan.heads()
        .forEach(
            (lane, head) -> {
              // It may go, or it has come so far that it demands the Lease.
              Wait wait = wait(lane);
              times.add(wait.isOver() ? state.lease().from(head, now) : wait.from());
            });
    return times.stream()
        .filter(time -> time.isAfter(now) && time.isBefore(Instant.MAX))
        .min(Comparator.naturalOrder());
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }
}
