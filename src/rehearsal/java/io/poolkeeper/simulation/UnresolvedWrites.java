package io.poolkeeper.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.armsim.model.Handled;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which accepted writes of one process run, and where it waits for the end of one, as its log says
 * (ADR 14). It makes no attempt where a write of its own runs. Where it waits, it sends nothing but
 * looks at the pool that it waits for, and it goes on only if a verification has shown the end or
 * the limit is over.
 */
final class UnresolvedWrites {
  private static final Duration LONGEST_IN_CALL_DELAY = Duration.ofSeconds(2);

  private final SimWorld sim;
  private final Duration limit;

  /** The accepted write that runs on a load balancer. */
  private final Map<LoadBalancerId, Exchange> running = new HashMap<>();

  private final Map<LoadBalancerId, Wait> waits = new HashMap<>();
  private final List<Exchange> looks = new ArrayList<>();

  /** When the process last stopped waiting there; what it sent before does not count. */
  private final Map<LoadBalancerId, Instant> wentOnAt = new HashMap<>();

  /** Pools whose limit is over, so that their next write may meet another one. */
  private final Set<PoolId> overdue = new HashSet<>();

  private record Wait(PoolId pool, Instant since, boolean endSeen) {}

  UnresolvedWrites(SimWorld sim) {
    this.sim = sim;
    this.limit = sim.options.rateLimiter().settleLimit();
  }

  /** The program waits for the end of a write to the pool. */
  void begun(PoolId pool) {
    overdue.remove(pool);
    waits.put(pool.loadBalancer(), new Wait(pool, sim.time.now(), false));
  }

  /** The program waits no longer. */
  void ended(LoadBalancerId balancer) {
    Wait wait = waits.remove(balancer);
    if (wait != null) {
      boolean over = !sim.time.now().isBefore(wait.since().plus(limit));
      sim.check(wait.endSeen() || over, "nothing has shown the end of " + wait);
      if (over) {
        overdue.add(wait.pool());
      }
    }
    wentOnAt.put(balancer, sim.time.now());
  }

  boolean waits(PoolId pool) {
    return waits.containsKey(pool.loadBalancer());
  }

  /** A GET is sent at a load balancer where the process waits. */
  void looks(PoolId pool, Exchange look) {
    Wait wait = waits.get(pool.loadBalancer());
    boolean meant = wait != null && wait.pool().equals(pool);
    sim.check(meant, "a call of %s although it is to be %s".formatted(pool, wait));
    looks.removeIf(before -> before.answered() || !before.awaited());
    looks.add(look);
  }

  /** An answer arrives. */
  void arrived(Exchange exchange, PoolId pool, Optional<JsonNode> json) {
    if (looks.contains(exchange)) {
      int status = exchange.status();
      boolean idle = status == 200 && json.filter(one -> !Attempt.updating(one)).isPresent();
      if (status == 404 || idle) {
        waits.computeIfPresent(
            pool.loadBalancer(), (any, wait) -> new Wait(wait.pool(), wait.since(), true));
      }
      sim.trace.say("%s: look %d".formatted(pool, status));
    }
  }

  /** Whether it may be a verification that was under way when the program waited no longer. */
  boolean mayBeLook(Attempt attempt) {
    Instant end = wentOnAt.get(attempt.pool.loadBalancer());
    return end != null
        && (attempt.last == null || !attempt.last.write())
        && !attempt.from.isBefore(end)
        && !attempt.from.isAfter(end.plus(sim.options.slack()));
  }

  /**
   * Whether a GET may be an in-call retry of a verification that was answered with a server error
   * when the program was about to wait no longer.
   */
  boolean mayRepeatLook(PoolId pool) {
    Instant end = wentOnAt.getOrDefault(pool.loadBalancer(), Instant.MIN);
    return !sim.time.now().isAfter(end.plus(LONGEST_IN_CALL_DELAY).plus(sim.options.slack()))
        && looks.stream()
            .filter(look -> look.call.path().pool().equals(Optional.of(pool)))
            .anyMatch(look -> look.answered() && look.mayBeRepeated());
  }

  /** A GET that is no look is sent. */
  void attemptBegins(PoolId pool) {
    Exchange own = running.get(pool.loadBalancer());
    Instant end = wentOnAt.getOrDefault(pool.loadBalancer(), Instant.MIN);
    sim.check(
        own == null || end.isAfter(own.sentAt) || mayRepeatLook(pool),
        "an attempt at %s while a write runs there".formatted(pool));
  }

  /** A PUT is sent; returns whether it may meet another one, as the limit is over. */
  boolean leaveToArm(PoolId pool) {
    return overdue.remove(pool);
  }

  /** ARM has accepted a write. */
  void accepted(Exchange write, Attempt attempt, Handled handled) {
    LoadBalancerId balancer = attempt.pool.loadBalancer();
    if (handled.superseded() && running.containsKey(balancer)) {
      sim.mark(RunMark.WRITE_SUPERSEDED);
    }
    if (handled.started().isPresent()) {
      running.put(balancer, write);
    }
  }

  /** ARM has refused a PUT because of its etag. */
  void refused(Attempt attempt) {
    if (running.values().stream().anyMatch(one -> one.attempt.equals(Optional.of(attempt)))) {
      sim.mark(RunMark.REFUSED_412_AFTER_SUCCESS);
    }
  }

  boolean anyRuns() {
    return !running.isEmpty();
  }

  void operationEnded(Exchange write, Attempt attempt) {
    running.remove(attempt.pool.loadBalancer(), write);
  }

  /** Somebody else wrote to a load balancer; what ran there is superseded. */
  void othersWrote(LoadBalancerId balancer) {
    if (running.remove(balancer) != null) {
      sim.mark(RunMark.WRITE_SUPERSEDED);
    }
  }
}
