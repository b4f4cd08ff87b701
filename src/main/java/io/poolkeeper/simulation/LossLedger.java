package io.poolkeeper.simulation;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a process must not do while it cannot know the cluster (architecture, Invariants): take
 * anything out of a pool, or put back what another writer took out of one that had all it wanted.
 */
final class LossLedger {
  private final SimWorld sim;
  private final Ledger ledger;
  private final Map<PoolId, Set<String>> held = new HashMap<>();
  private Optional<Instant> since = Optional.empty();

  LossLedger(SimWorld sim, Ledger ledger) {
    this.sim = sim;
    this.ledger = ledger;
  }

  /**
   * The process looks at its watches.
   *
   * @param lost whether it must know that one is lost
   */
  void looks(boolean lost) {
    if (!lost) {
      since = Optional.empty();
      held.clear();
    } else if (since.isEmpty()) {
      sim.mark(Mark.WATCH_LOSS_NOTICED);
      since = Optional.of(sim.time.now());
      ledger.attempts().all().stream()
          .filter(this::quiet)
          .forEach(one -> held.put(one.pool, sim.arm.addresses(one.pool.path())));
    }
  }

  /**
   * Its pools may have gone and come, and are wanted anew: what they held says nothing any more.
   */
  void othersWrote(LoadBalancerId balancer) {
    held.keySet().removeIf(pool -> pool.loadBalancer().equals(balancer));
  }

  /** Whether a pool holds all that is wanted, and nothing can be queued for it. */
  private boolean quiet(Attempt attempt) {
    String pool = attempt.pool.name();
    boolean ended = attempt.last != null && attempt.last.status() / 100 == 2;
    Set<String> holds = sim.arm.addresses(attempt.pool.path());
    return ended
        && !attempt.lied
        && !ledger.settling().runs(attempt)
        && !ledger.desired().vague(pool)
        && ledger.desired().lastChange(pool).isBefore(attempt.from.minus(ledger.slack()))
        && ledger.desired().satisfied(pool, sim.time.now(), List.of(holds));
  }

  /**
   * A PUT is sent.
   *
   * @param lost whether it must still know that a watch is lost
   */
  void writeIsSent(Attempt attempt, Set<String> sent, boolean lost) {
    if (BindingUsers.bound(attempt.pool)) {
      return;
    }
    if (!lost || since.isEmpty() || !known(since.get(), attempt.from)) {
      return;
    }
    Set<String> removed = new TreeSet<>(attempt.read.keySet());
    removed.removeAll(sent);
    check(removed.isEmpty(), attempt, "removes " + removed);
    if (!ledger.desired().lastChange(attempt.pool.name()).isBefore(since.get())) {
      return;
    }
    Set<String> added = new TreeSet<>(sent);
    added.removeAll(attempt.read.keySet());
    added.retainAll(held.getOrDefault(attempt.pool, Set.of()));
    check(added.isEmpty(), attempt, "puts back " + added);
  }

  /** Whether every actor must have heard of it before then. */
  boolean known(Instant lost, Instant at) {
    Instant thaw = sim.time.frozenUntil();
    Instant awake = thaw.isAfter(lost) ? thaw : lost;
    return at.isAfter(awake.plus(ledger.slack()));
  }

  private void check(boolean holds, Attempt attempt, String how) {
    sim.check(
        holds, "%s: %s while a watch is lost since %s".formatted(attempt.pool, how, since.get()));
  }
}
