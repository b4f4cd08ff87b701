package io.poolkeeper.ratelimit;

import io.poolkeeper.ratelimit.LoadBalancerQueue.Request;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Which request may have a turn, which obstacle each other request waits for, and when the obstacle
 * ends (architecture, The rate limiter). Grants, the timer and the status page all ask this class,
 * so that they agree. The retry budget is checked last (spec 3, Retry budgets): a turn that is
 * refused for another reason must not cost a retry.
 *
 * <p>An admission is valid for one moment and one state: after each grant, a new one is needed.
 */
record TurnAdmission(
    RateLimiterLimits limits, RateLimiterState state, Scan scan, Instant now, Quota quota) {
  /** The admission at this time, or at the time of the last event if that was later. */
  static TurnAdmission of(RateLimiterLimits limits, RateLimiterState state, Instant time) {
    Instant now = later(time, state.asOf());
    Scan scan = Scan.of(state.queues().values(), state.lease(), limits.turnDeadline(), now);
    return new TurnAdmission(limits, state, scan, now, state.quota().at(now));
  }

  /** The admission in a state with the same load balancers. */
  TurnAdmission in(RateLimiterState next) {
    return new TurnAdmission(limits, next, scan, now, next.quota().at(now));
  }

  /** The obstacle of a lane, without those of load balancers and the Lease. */
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
   * The obstacle of a request. A request behind another one of a free load balancer has the same.
   */
  Wait wait(Request request) {
    Lane lane = request.lane();
    Wait here =
        state.queue(request.requester().loadBalancer()).wait(lane, limits.turnDeadline(), now);
    return (here.isOver() ? wait(lane) : here)
        .then(!mayGo(request), Obstacle.LEASE, state.lease().freeFrom(request, now));
  }

  /** Whether the Lease lets a request go now. */
  private boolean mayGo(Request request) {
    return !state.lease().from(request, now).isAfter(now);
  }

  /** The lanes whose head may go now. */
  Set<Lane> going() {
    Set<Lane> going = EnumSet.noneOf(Lane.class);
    scan.heads()
        .forEach(
            (lane, head) -> {
              if (wait(lane).isOver() && mayGo(head)) {
                going.add(lane);
              }
            });
    return going;
  }

  /**
   * The next grant.
   *
   * @param passedOver the lanes that could have had the turn
   * @param served the lanes whose ageing starts again
   */
  record Choice(LoadBalancerQueue queue, Request request, Set<Lane> passedOver, Set<Lane> served) {}

  /**
   * Chooses the most urgent lane that may go, unless a lane is starved. The turn belongs to the
   * load balancer of that lane's head. If another lane has starved at that load balancer, it gets
   * the turn, and the ageing of the chosen lane starts again all the same, as the load balancer
   * counts them.
   */
  Choice choose() {
    Set<Lane> going = going();
    Lane chosen = lane(going);
    LoadBalancerQueue queue = first(chosen).overdue();
    List<Lane> here =
        going.stream()
            .filter(one -> queue.requests().line(one).all().anyMatch(this::mayGo))
            .toList();
    Lane lane =
        chosen == Lane.DRAIN ? chosen : queue.requests().ageing().starved(here).orElse(chosen);
    boolean headServed = lane == chosen || first(lane).id().equals(queue.id());
    Set<Lane> passedOver = lane == Lane.DRAIN ? Set.of() : going;
    Request request = queue.requests().next(lane, state.ageing(), this::mayGo);
    return new Choice(queue, request, passedOver, EnumSet.of(chosen, headServed ? lane : chosen));
  }

  /** The most urgent lane. A retried drain may need a token that updates need, too. */
  private Lane lane(Set<Lane> going) {
    List<Lane> order = quota.writes().reserved(scan.drains()) ? Lane.ORDER : Lane.ON_COMMON;
    List<Lane> lanes = order.stream().filter(going::contains).toList();
    Lane first = lanes.getFirst();
    return first == Lane.DRAIN ? first : state.ageing().starved(lanes).orElse(first);
  }

  /**
   * The load balancer of the head of a lane that may go. All namespaces of each load balancer are
   * compared, once per turn; drains are of none.
   */
  private LoadBalancerQueue first(Lane lane) {
    Comparator<Request> order = state.ageing().order(lane);
    Request head = Objects.requireNonNull(scan.heads().get(lane));
    for (LoadBalancerQueue queue : state.queues().values()) {
      Line line = queue.requests().line(lane);
      if (!lane.drains() && !line.isEmpty() && !queue.freeFrom(lane).isAfter(now)) {
        Request first = line.first(order);
        head = order.compare(first, head) < 0 ? first : head;
      }
    }
    return state.queue(head.requester().loadBalancer());
  }

  /** The Lease with its demand: none while another obstacle is in the way, too. */
  LeaseGate lease() {
    Set<Lane> waiting = scan.heads().keySet();
    List<Lane> wanting = waiting.stream().filter(lane -> wait(lane).isOver()).toList();
    boolean drain = wanting.stream().anyMatch(Lane::drains);
    boolean later = scan.out() > 0 || waiting.stream().anyMatch(Lane::drains);
    return state.lease().demanding(!wanting.isEmpty(), drain, later, now);
  }

  /** When the lanes were held last by the rate: now those whose head waits for it. */
  LimitedLanes limited() {
    List<Lane> held =
        scan.heads().keySet().stream().filter(lane -> wait(lane).why().limitsRate()).toList();
    return state.limited().with(held, now);
  }

  /** What is reported of the retry budget: whether a request waits, and whether it is empty. */
  ReportedBudget budget() {
    return state
        .reported()
        .with(
            scan.heads().keySet().stream()
                .anyMatch(lane -> wait(lane).why() == Obstacle.RETRY_BUDGET),
            !quota.budget().canWithdraw(now));
  }

  /** The load balancer that must be verified now, if that may be. */
  Optional<LoadBalancerQueue> verification() {
    return scan.verification().filter(queue -> !verifyFrom().isAfter(now));
  }

  /**
   * When the next verification may come. Verifications go first: turns would take every read token.
   */
  private Instant verifyFrom() {
    return state.verifications().size() < limits.maxInFlight()
        ? later(scan.verifyFrom(), mayReadFrom())
        : Instant.MAX;
  }

  /** When a listing or a verification of readers may begin. Those are no turns. */
  private Instant mayReadFrom() {
    return later(readsFrom(), state.gates().readsFrom());
  }

  boolean mayRead() {
    return !mayReadFrom().isAfter(now);
  }

  /** When there is a read token for one more call than all that may still be made. */
  private Instant readsFrom() {
    return quota.reads().holdsAt(scan.out() + state.verifications().size() + 1);
  }

  /** Whether no more turns may be out. Early turns leave half of the places to others. */
  private boolean full(Lane lane) {
    int counted = lane == Lane.EARLY ? 2 * scan.out() : scan.out();
    return counted >= limits.maxInFlight();
  }

  /** When time alone changes something; empty if never. */
  Optional<Instant> wakeAt() {
    List<Instant> times = new ArrayList<>(List.of(scan.next(), scan.deadline(), verifyFrom()));
    times.addAll(List.of(state.gates().readsFrom(), state.gates().writesFrom()));
    times.add(state.readers().isEmpty() ? Instant.MAX : mayReadFrom());
    times.add(state.lease().endsAt());
    scan.heads()
        .forEach(
            (lane, head) -> {
              // The request may go, or waits for the Lease alone and demands it.
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
