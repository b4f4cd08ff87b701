package io.poolkeeper.ratelimit;

import io.poolkeeper.ratelimit.LoadBalancerQueue.Request;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Which request may have a permit, which obstacle each other request waits for, and when the
 * obstacle ends (architecture, The rate limiter). Grants, the timer and the status page all ask
 * this class, so that they agree. The retry budget is checked last (spec 3, Retry budgets): a
 * permit that is refused for another reason must not cost a retry.
 *
 * <p>An admission is valid for one moment and one state: after each grant, a new one is needed.
 */
record PermitAdmission(
    RateLimiterLimits limits, RateLimiterState state, Scan scan, Instant now, Quota quota) {
  /** The admission at this time, or at the time of the last event if that was later. */
  static PermitAdmission of(RateLimiterLimits limits, RateLimiterState state, Instant time) {
    Instant now = Wait.later(time, state.asOf());
    Scan scan = Scan.of(state.queues().values(), state.lease(), limits.permitDeadline(), now);
    return new PermitAdmission(limits, state, scan, now, state.quota().at(now));
  }

  /** The admission in a state with the same load balancers. */
  PermitAdmission withState(RateLimiterState next) {
    return new PermitAdmission(limits, next, scan, now, next.quota().at(now));
  }

  /** The obstacle of a priority level, without those of load balancers and the Lease. */
  Wait wait(PriorityLevel level) {
    int out = scan.out();
    Gates gates = state.gates();
    boolean closed = now.isBefore(gates.permitsFrom());
    Wait wait =
        Wait.none(now)
            .thenIf(full(level), Obstacle.IN_FLIGHT, scan.deadline())
            .thenIf(
                !gates.passable(now),
                closed ? Obstacle.SUBSCRIPTION_GATE : Obstacle.SLOW_START,
                gates.nextChange(now))
            .then(Obstacle.READ_TOKENS, readsFrom(), now)
            .thenIf(
                !quota.writes().allow(level, out, scan.drains()),
                Obstacle.WRITE_TOKENS,
                quota.writes().allowAt(level, out, scan.drains()));
    if (level == PriorityLevel.EARLY) {
      return wait.then(Obstacle.EARLY_TOKENS, quota.early().holdsAt(1), now);
    }
    Instant from = wait.from();
    return level.costsBudget() && from.isBefore(Instant.MAX)
        ? wait.then(
            Obstacle.RETRY_BUDGET, quota.budget().nextWithdrawal(from).orElse(Instant.MAX), from)
        : wait;
  }

  /**
   * The obstacle of a request. A request behind another one of a free load balancer has the same.
   */
  Wait wait(Request request) {
    PriorityLevel level = request.level();
    Wait atLoadBalancer =
        state.queue(request.requester().loadBalancer()).wait(level, limits.permitDeadline(), now);
    return (atLoadBalancer.isOver() ? wait(level) : atLoadBalancer)
        .thenIf(!mayGo(request), Obstacle.LEASE, state.lease().freeFrom(request, now));
  }

  /** Whether the Lease lets a request go now. */
  private boolean mayGo(Request request) {
    return !state.lease().letsGoFrom(request, now).isAfter(now);
  }

  /** The priority levels whose head may go now. */
  Set<PriorityLevel> grantable() {
    Set<PriorityLevel> grantable = EnumSet.noneOf(PriorityLevel.class);
    scan.heads()
        .forEach(
            (level, head) -> {
              if (wait(level).isOver() && mayGo(head)) {
                grantable.add(level);
              }
            });
    return grantable;
  }

  /**
   * The next grant.
   *
   * @param passedOver the priority levels that could have had the permit
   * @param served the priority levels whose ageing starts again
   */
  record Choice(
      LoadBalancerQueue queue,
      Request request,
      Set<PriorityLevel> passedOver,
      Set<PriorityLevel> served) {}

  /**
   * Chooses the most urgent priority level that may go, unless a priority level is starved. The
   * permit belongs to the load balancer of that priority level's head. If another priority level
   * has starved at that load balancer, it gets the permit, and the ageing of the chosen priority
   * level starts again all the same, as the load balancer counts them.
   */
  Choice choose() {
    Set<PriorityLevel> grantable = grantable();
    PriorityLevel chosen = mostUrgent(grantable);
    LoadBalancerQueue queue = ofHead(chosen).withOverdue();
    List<PriorityLevel> grantableHere =
        grantable.stream()
            .filter(candidate -> queue.requests().line(candidate).all().anyMatch(this::mayGo))
            .toList();
    PriorityLevel level =
        chosen == PriorityLevel.DRAIN
            ? chosen
            : queue.requests().ageing().starved(grantableHere).orElse(chosen);
    boolean headServed = level == chosen || ofHead(level).id().equals(queue.id());
    Set<PriorityLevel> passedOver = level == PriorityLevel.DRAIN ? Set.of() : grantable;
    Request request = queue.requests().next(level, state.ageing(), this::mayGo);
    return new Choice(queue, request, passedOver, EnumSet.of(chosen, headServed ? level : chosen));
  }

  /** The level that is granted next. A retried drain may need a token that updates need, too. */
  private PriorityLevel mostUrgent(Set<PriorityLevel> grantable) {
    List<PriorityLevel> order =
        quota.writes().reserved(scan.drains()) ? PriorityLevel.ORDER : PriorityLevel.ON_COMMON;
    List<PriorityLevel> levels = order.stream().filter(grantable::contains).toList();
    PriorityLevel first = levels.getFirst();
    return first == PriorityLevel.DRAIN ? first : state.ageing().starved(levels).orElse(first);
  }

  /**
   * The load balancer of the head of a priority level that may go. All namespaces of each load
   * balancer are compared, once per permit; drains are of none.
   */
  private LoadBalancerQueue ofHead(PriorityLevel level) {
    Comparator<Request> order = state.ageing().order(level);
    Request head = Objects.requireNonNull(scan.heads().get(level));
    for (LoadBalancerQueue queue : state.queues().values()) {
      Line line = queue.requests().line(level);
      if (!level.drains() && !line.isEmpty() && !queue.freeFrom(level).isAfter(now)) {
        Request first = line.first(order);
        head = order.compare(first, head) < 0 ? first : head;
      }
    }
    return state.queue(head.requester().loadBalancer());
  }

  /** The Lease with its demand: none while another obstacle is in the way, too. */
  LeaseGate lease() {
    Set<PriorityLevel> waiting = scan.heads().keySet();
    List<PriorityLevel> wanting = waiting.stream().filter(level -> wait(level).isOver()).toList();
    boolean drainLater = scan.out() > 0 || waiting.stream().anyMatch(PriorityLevel::drains);
    return state.lease().demanding(wanting, drainLater, now);
  }

  /** What is reported after this: each priority level that waits by the obstacle of its head. */
  Reported reported() {
    Map<PriorityLevel, Obstacle> obstacles = new EnumMap<>(PriorityLevel.class);
    scan.heads().keySet().forEach(level -> obstacles.put(level, wait(level).why()));
    return state.reported().with(obstacles, !quota.budget().canWithdraw(now), now);
  }

  /** The load balancer that must be verified now, if that may be. */
  Optional<LoadBalancerQueue> verification() {
    return scan.verification().filter(queue -> !verifyFrom().isAfter(now));
  }

  /**
   * When the next verification may come. Verifications go first: permits would take every read
   * token.
   */
  private Instant verifyFrom() {
    return state.verifications().size() < limits.maxInFlight()
        ? Wait.later(scan.verifyFrom(), mayReadFrom())
        : Instant.MAX;
  }

  /** When a listing or a verification of readers may begin. Those are no permits. */
  private Instant mayReadFrom() {
    return Wait.later(readsFrom(), state.gates().readsFrom());
  }

  boolean mayRead() {
    return !mayReadFrom().isAfter(now);
  }

  /** When there is a read token for one more call than all that may still be made. */
  private Instant readsFrom() {
    return quota.reads().holdsAt(scan.out() + state.verifications().size() + 1);
  }

  /** Whether no more permits may be out. Early permits leave half of the places to others. */
  private boolean full(PriorityLevel level) {
    int counted = level == PriorityLevel.EARLY ? 2 * scan.out() : scan.out();
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
            (level, head) -> {
              // The request may go, or waits for the Lease alone and demands it.
              Wait wait = wait(level);
              times.add(wait.isOver() ? state.lease().letsGoFrom(head, now) : wait.from());
            });
    return times.stream()
        .filter(time -> time.isAfter(now) && time.isBefore(Instant.MAX))
        .min(Comparator.naturalOrder());
  }
}
