package io.poolkeeper.simulation;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.pool.PoolStatus.State;
import io.poolkeeper.ratelimit.RateLimiterView;
import io.poolkeeper.status.Snapshot;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The rules about what the status page shows at a moment in which no actor has anything to do: no
 * permit without a use for it, queues within their bound, and no pool that rests without what it
 * wants.
 */
record StatusRules(SimWorld sim, Ledger ledger) {
  private static final Set<State> RESTING = Set.of(State.IDLE, State.FAILED, State.POSTPONED);
  private static final Set<State> ATTEMPTING = Set.of(State.READING, State.WRITING);

  void check(Snapshot status) {
    Map<PoolId, PoolStatus> pools =
        status.pools().stream().collect(Collectors.toMap(PoolStatus::id, Function.identity()));
    status.rateLimiter().ifPresent(view -> permits(view, pools));
    boolean sure = !ledger.unsure();
    status.pools().forEach(pool -> pool(pool, sure));
  }

  private void permits(RateLimiterView view, Map<PoolId, PoolStatus> pools) {
    if (!view.unresolved().isEmpty()) {
      sim.mark(RunMark.SETTLING);
    }
    for (RateLimiterView.Holder holder : view.permits()) {
      Optional<Exchange> last =
          ledger.attempts.at(holder.pool()).flatMap(a -> Optional.ofNullable(a.last));
      PoolStatus pool = pools.get(holder.pool());
      boolean failedRead = last.filter(e -> e.answered() && !e.write()).isPresent();
      sim.check(
          pool == null || ATTEMPTING.contains(pool.state()) || !failedRead,
          holder.pool() + " keeps a permit that it has no use for");
    }
  }

  private void pool(PoolStatus pool, boolean sure) {
    if (sure && RESTING.contains(pool.state()) && pool.activity().queued() == 0) {
      ledger.events.rests(pool.id());
    }
    int bound = (sim.options.pools().maxRetries() + 1) * Math.max(1, pool.services().size());
    sim.check(
        pool.activity().queued() <= bound, pool.id() + " has queued " + pool.activity().queued());
    if (pool.activity().queued() == bound && bound > 1) {
      sim.mark(RunMark.QUEUE_BOUND_REACHED);
    }
    Set<String> desired =
        pool.members().desired().stream().map(Address::text).collect(Collectors.toSet());
    Set<String> held =
        pool.members().inPool().stream().map(Address::text).collect(Collectors.toSet());
    sim.check(
        !sure || pool.state() != State.IDLE || held.containsAll(desired) || excused(pool),
        "%s rests with %s, and wants %s: a change is lost".formatted(pool.id(), held, desired));
  }

  /**
   * ARM had no such pool when it said something last, or no rule of the Service: what it wants does
   * not count. Or its actor has failed while it waited for a lost watch, and the next one does not
   * run yet. Or a drain met the write of somebody else, and reads again in a second.
   */
  private boolean excused(PoolStatus pool) {
    if (ledger.attempts.mayHaveNoActor(pool.id())) {
      return true;
    }
    Optional<Attempt> attempt = ledger.attempts.at(pool.id());
    boolean gone =
        ledger.attempts.gone(pool.id()) || attempt.map(found -> found.last == null).orElse(false);
    boolean ruled =
        attempt.isEmpty()
            || ledger.process.watches.store.services.values().stream()
                .filter(service -> pool.services().containsKey(service.key()))
                .allMatch(
                    service ->
                        service.families().stream()
                            .filter(family -> service.pool(family).equals(pool.id().name()))
                            .allMatch(f -> attempt.get().rules.contains(service.rule(f))));
    boolean updating = attempt.map(found -> found.updating).orElse(false);
    return gone || !ruled || (updating && pool.activity().until().isPresent());
  }
}
