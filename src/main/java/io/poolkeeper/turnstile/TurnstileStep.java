package io.poolkeeper.turnstile;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.TurnResult;
import io.poolkeeper.retry.RetryBudget;
import io.poolkeeper.turnstile.Line.Turn;
import io.poolkeeper.turnstile.Line.Waiter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.pcollections.HashPMap;
import org.pcollections.TreePMap;

/**
 * One step of the turnstile: a working copy of its state, which begins by catching up with the
 * time, takes one event and ends by granting whatever can be granted.
 */
final class TurnstileStep {
  private final TurnstileLimits limits;
  private final Instant now;
  private final List<TurnstileEffect> effects = new ArrayList<>();
  private final Lanes lanes;
  private HashPMap<LoadBalancerId, Line> lines;
  private HashPMap<Visitor, Waiter> waiters;
  private TreePMap<Long, LoadBalancerId> out;
  private boolean listing;
  private WriteTokens writes;
  private TokenBucket reads;
  private Gates gates;
  private RetryBudget budget;
  private final Herald herald;
  private long nextTurn;
  private long nextTicket;

  TurnstileStep(TurnstileLimits limits, TurnstileState state, Instant now) {
    this.limits = limits;
    this.now = now;
    lanes = new Lanes(state, now);
    lines = state.lines();
    waiters = state.waiters();
    out = state.out();
    listing = state.listing();
    writes = state.writes().at(now);
    reads = state.reads().at(now).bucket();
    gates = state.gates();
    budget = state.budget();
    nextTurn = state.nextTurn();
    nextTicket = state.nextTicket();
    herald = new Herald(state.told(), now, effects);
    // Stored again, as what is known of it may have been its gate alone.
    herald.open(gates).forEach(id -> put(line(id)));
    lanes.wake().forEach(id -> put(line(id)));
    expire();
  }

  void request(Visitor visitor, Lane lane) {
    Optional<Waiter> before = Optional.ofNullable(waiters.get(visitor));
    if (before.map(waiter -> waiter.lane() == lane).orElse(false)) {
      return;
    }
    before.ifPresent(this::remove);
    Waiter waiter =
        before
            .map(old -> new Waiter(visitor, lane, old.ticket(), old.since()))
            .orElseGet(() -> new Waiter(visitor, lane, nextTicket++, now));
    waiters = waiters.plus(visitor, waiter);
    put(line(visitor.loadBalancer()).joined(waiter));
  }

  void cancel(Visitor visitor) {
    Optional.ofNullable(waiters.get(visitor)).ifPresent(this::remove);
  }

  void giveBack(TurnstileEvent.Returned back) {
    Line line = line(back.visitor().loadBalancer());
    Optional<Turn> turn = line.turn().filter(held -> held.number() == back.turn());
    if (turn.isEmpty()) {
      return;
    }
    Line free =
        back.result() == TurnResult.OTHER_WRITER
            ? takeBackUnused(line, turn.get())
            : takeBack(line, turn.get());
    put(
        switch (back.result()) {
          case SUCCEEDED -> free.settled();
          case FAILED -> free.settling().isPresent() ? unresolved(free) : free;
          case OTHER_WRITER -> unresolved(free);
          // Nobody writes before a read has shown that the last write is over.
          case UNRESOLVED -> unresolved(free.settled());
        });
    if (back.result() == TurnResult.SUCCEEDED && !limits.depositAttempts()) {
      budget = budget.deposit(now);
    }
  }

  /** Whatever came of a drain, the reserve pays: else drains that fail would go on for nothing. */
  private Line takeBack(Line line, Turn turn) {
    if (turn.lane().drains()) {
      writes = writes.paidByReserve();
    }
    return takeBackUnused(line, turn);
  }

  private Line takeBackUnused(Line line, Turn turn) {
    out = out.minus(turn.number());
    return line.returned();
  }

  /** A visitor is no more; a write of its may run on. */
  void lose(Visitor visitor) {
    cancel(visitor);
    Line line = line(visitor.loadBalancer());
    line.turn()
        .filter(turn -> turn.holder().equals(visitor))
        .ifPresent(turn -> put(unresolved(takeBack(line, turn))));
  }

  void requestListing() {
    listing = true;
  }

  void sent(boolean write) {
    if (write) {
      writes = writes.sent();
    } else {
      reads = reads.minus(1);
    }
  }

  void throttle(TurnstileEvent.Throttled throttled) {
    if (throttled.loadBalancer().isPresent()) {
      put(line(throttled.loadBalancer().get()).closed(throttled.until()));
    } else {
      gates = gates.close(throttled.write(), throttled.until());
      herald.closed(gates, throttled.write());
    }
  }

  TurnstileDecision decision() {
    Admission admission = grantAll();
    boolean broke = !budget.canWithdraw(now);
    boolean heldBack =
        broke && lanes.occupied().map(admission::obstacle).anyMatch(Obstacle.RETRY_BUDGET::equals);
    herald.budget(heldBack, broke);
    TurnstileState next =
        new TurnstileState(
            lines,
            waiters,
            lanes.ready(),
            lanes.asleep(),
            out,
            listing,
            writes,
            reads,
            gates,
            budget,
            lanes.passes(),
            nextTurn,
            nextTicket,
            herald.told());
    return new TurnstileDecision(next, effects, wakeAt(admission));
  }

  /** Turns that were not given back in time are free, but their writes may run on. */
  private void expire() {
    while (!out.isEmpty()) {
      Line line = line(out.firstEntry().getValue());
      Turn turn = line.turn().orElseThrow();
      if (turn.since().plus(limits.turnDeadline()).isAfter(now)) {
        return;
      }
      effects.add(new TurnstileEffect.TurnLost(turn.holder(), turn.number()));
      put(unresolved(takeBack(line, turn)));
    }
  }

  private Line unresolved(Line line) {
    return line.unresolved(now, limits.settleLimit());
  }

  /** Returns what stands in the way of those who are left. */
  private Admission grantAll() {
    Admission admission = admission();
    // First, or else turns that take every read token as it comes would starve it.
    if (listing && admission.mayList()) {
      listing = false;
      effects.add(new TurnstileEffect.GrantListing());
    }
    Optional<Lane> lane = lanes.choose(admission::mayGo);
    while (lane.isPresent()) {
      grant(lane.get(), admission);
      admission = admission();
      lane = lanes.choose(admission::mayGo);
    }
    return admission;
  }

  private Admission admission() {
    return new Admission(limits, now, gates, reads, writes, budget, lines, out);
  }

  /** The first load balancer of a lane has its turn; there, a lane may be late that is not here. */
  private void grant(Lane chosen, Admission admission) {
    Line line = line(lanes.first(chosen));
    Lane lane = chosen == Lane.DRAIN ? chosen : line.starved(admission::mayGo).orElse(chosen);
    lanes.countPasses(chosen, lane, line.id(), admission::mayGo);
    Waiter waiter = line.first(lane);
    boolean limitOver =
        line.settling().map(settling -> !settling.until().isAfter(now)).orElse(false);
    Turn turn = new Turn(nextTurn++, waiter.visitor(), lane, now);
    Line left =
        line.left(waiter).granted(turn, late -> lane != Lane.DRAIN && admission.mayGo(late));
    waiters = waiters.minus(waiter.visitor());
    put(limitOver ? left.settled() : left);
    out = out.plus(turn.number(), line.id());
    gates = gates.passed(now);
    if (lane.costsBudget()) {
      budget = budget.withdraw(now);
      herald.retried();
    } else if (limits.depositAttempts()) {
      budget = budget.deposit(now);
    }
    effects.add(
        new TurnstileEffect.Grant(
            waiter.visitor(),
            turn.number(),
            lane,
            now.plus(limits.turnDeadline()),
            limitOver,
            Duration.between(waiter.since(), now),
            Duration.between(line.readySince(waiter), now)));
  }

  private Optional<Instant> wakeAt(Admission admission) {
    List<Instant> times = new ArrayList<>();
    lanes.nextWake().ifPresent(times::add);
    if (!out.isEmpty()) {
      Turn oldest = line(out.firstEntry().getValue()).turn().orElseThrow();
      times.add(oldest.since().plus(limits.turnDeadline()));
    }
    if (listing) {
      times.add(admission.mayListFrom());
    }
    lanes.occupied().flatMap(lane -> admission.mayGoFrom(lane).stream()).forEach(times::add);
    herald.nextOpening(gates).ifPresent(times::add);
    return times.stream().min(Instant::compareTo);
  }

  private void remove(Waiter waiter) {
    waiters = waiters.minus(waiter.visitor());
    put(line(waiter.visitor().loadBalancer()).left(waiter));
  }

  private Line line(LoadBalancerId id) {
    Line known = lines.get(id);
    return known == null ? Line.of(id) : known;
  }

  /** Stores a line, and puts it in its place. */
  private void put(Line changed) {
    Line old = line(changed.id());
    Line next = changed.freed(old, now);
    herald.changed(old, next);
    lanes.place(old, next);
    lines = next.forgettable(now) ? lines.minus(next.id()) : lines.plus(next.id(), next);
  }
}
