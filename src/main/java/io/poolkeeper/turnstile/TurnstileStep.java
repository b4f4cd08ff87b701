package io.poolkeeper.turnstile;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.retry.RetryBudget;
import io.poolkeeper.turnstile.Line.Turn;
import io.poolkeeper.turnstile.Line.Waiter;
import io.poolkeeper.turnstile.TurnstileState.Wake;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.pcollections.HashPMap;
import org.pcollections.TreePMap;

/**
 * One step of the turnstile: a working copy of its state, which begins by catching up with the
 * time, takes one event and ends by granting whatever can be granted.
 */
@SuppressWarnings("EnumOrdinal") // The order of the lanes is their rank, and lists are by lane.
final class TurnstileStep {
  private final TurnstileLimits limits;
  private final Instant now;
  private final List<TurnstileEffect> effects = new ArrayList<>();
  private final List<TreePMap<Long, LoadBalancerId>> ready;
  private final List<Integer> passes;
  private HashPMap<LoadBalancerId, Line> lines;
  private HashPMap<Visitor, Waiter> waiters;
  private TreePMap<Wake, LoadBalancerId> asleep;
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
    ready = new ArrayList<>(state.ready());
    passes = new ArrayList<>(state.passes());
    lines = state.lines();
    waiters = state.waiters();
    asleep = state.asleep();
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
    wake();
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
        back.ending() == Ending.OTHERS_WRITE
            ? takeBackUnused(line, turn.get())
            : takeBack(line, turn.get());
    put(
        switch (back.ending()) {
          case WELL -> free.settled();
          case BADLY -> free.settling().isPresent() ? unresolved(free) : free;
          case OTHERS_WRITE -> unresolved(free);
          // Nobody writes before a read has shown that the last write is over.
          case UNRESOLVED -> unresolved(free.settled());
        });
    if (back.ending() == Ending.WELL && !limits.depositAttempts()) {
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
    grantAll();
    herald.budget(heldBack(), !budget.canWithdraw(now));
    TurnstileState next =
        new TurnstileState(
            lines,
            waiters,
            List.copyOf(ready),
            asleep,
            out,
            listing,
            writes,
            reads,
            gates,
            budget,
            List.copyOf(passes),
            nextTurn,
            nextTicket,
            herald.told());
    return new TurnstileDecision(next, effects, wakeAt());
  }

  private void wake() {
    while (!asleep.isEmpty() && !asleep.firstKey().at().isAfter(now)) {
      LoadBalancerId id = asleep.firstEntry().getValue();
      asleep = asleep.minus(asleep.firstKey());
      put(line(id));
    }
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

  private void grantAll() {
    // First, or else turns that take every read token as it comes would starve it.
    if (listing && gates.readable(now) && reads.holds(out.size() + 1)) {
      listing = false;
      effects.add(new TurnstileEffect.GrantListing());
    }
    while (out.size() < limits.maxInFlight() && gates.passable(now)) {
      Optional<Lane> lane = choose();
      if (lane.isEmpty()) {
        break;
      }
      grant(lane.get());
    }
  }

  /** The most urgent lane that may go, unless a lesser one was passed over too often. */
  private Optional<Lane> choose() {
    if (!reads.holds(out.size() + 1)) {
      return Optional.empty();
    }
    Optional<Lane> best = Optional.empty();
    Optional<Lane> starved = Optional.empty();
    for (Lane lane : Lane.values()) {
      if (!mayGo(lane)) {
        continue;
      }
      if (best.isEmpty()) {
        best = Optional.of(lane);
      }
      int most = starved.map(found -> passes.get(found.ordinal())).orElse(0);
      int passed = passes.get(lane.ordinal());
      if (passed >= TurnstileLimits.MOST_PASSES && passed > most) {
        starved = Optional.of(lane);
      }
    }
    return best.equals(Optional.of(Lane.DRAIN)) || starved.isEmpty() ? best : starved;
  }

  /** The budget is asked last (spec 3): what fails for another reason must not cost a retry. */
  private boolean mayGo(Lane lane) {
    return mayGoButForBudget(lane) && (!lane.costsBudget() || budget.canWithdraw(now));
  }

  private boolean mayGoButForBudget(Lane lane) {
    return !ready.get(lane.ordinal()).isEmpty() && writes.allow(lane, out.size(), drainsOut(lane));
  }

  /** Whether somebody waits for nothing but the retry budget. */
  private boolean heldBack() {
    return out.size() < limits.maxInFlight()
        && gates.passable(now)
        && reads.holds(out.size() + 1)
        && !budget.canWithdraw(now)
        && Arrays.stream(Lane.values())
            .anyMatch(lane -> lane.costsBudget() && mayGoButForBudget(lane));
  }

  /** The first load balancer of a lane has its turn; there, a lane may be late that is not here. */
  private void grant(Lane chosen) {
    Line line = line(ready.get(chosen.ordinal()).firstEntry().getValue());
    Lane lane = chosen == Lane.DRAIN ? chosen : line.starved(late -> mayGo(late)).orElse(chosen);
    countPasses(chosen, lane, line);
    Waiter waiter = line.first(lane);
    boolean limitOver =
        line.settling().map(settling -> !settling.until().isAfter(now)).orElse(false);
    Turn turn = new Turn(nextTurn++, waiter.visitor(), lane, now);
    Line left = line.left(waiter).granted(turn, late -> lane != Lane.DRAIN && mayGo(late));
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

  /**
   * The lane that was chosen starts again at none, even if another one has the turn: its head is
   * late at its load balancer now, where that is counted. So does a lane whose head is served.
   */
  private void countPasses(Lane chosen, Lane granted, Line line) {
    for (Lane lane : Lane.values()) {
      boolean headIsServed =
          lane == granted && line.id().equals(ready.get(lane.ordinal()).firstEntry().getValue());
      if (lane == chosen || headIsServed) {
        passes.set(lane.ordinal(), 0);
      } else if (granted != Lane.DRAIN && mayGo(lane)) {
        passes.set(lane.ordinal(), passes.get(lane.ordinal()) + 1);
      }
    }
  }

  private Optional<Instant> wakeAt() {
    List<Instant> times = new ArrayList<>();
    if (!asleep.isEmpty()) {
      times.add(asleep.firstKey().at());
    }
    if (!out.isEmpty()) {
      Turn oldest = line(out.firstEntry().getValue()).turn().orElseThrow();
      times.add(oldest.since().plus(limits.turnDeadline()));
    }
    if (listing) {
      times.add(later(reads.holdsAt(out.size() + 1), gates.readsFrom()));
    }
    if (out.size() < limits.maxInFlight()) {
      nextGrant().ifPresent(times::add);
    }
    herald.nextOpening(gates).ifPresent(times::add);
    return times.stream().min(Instant::compareTo);
  }

  /** When the first of those who are ready may go; none of them may go now. */
  private Optional<Instant> nextGrant() {
    Instant gate = gates.passable(now) ? now : gates.nextChange(now);
    Instant from = later(gate, reads.holdsAt(out.size() + 1));
    return Arrays.stream(Lane.values())
        .filter(lane -> !ready.get(lane.ordinal()).isEmpty())
        .flatMap(lane -> mayGoFrom(lane, from).stream())
        .min(Instant::compareTo);
  }

  /** When a lane may go from that time on; empty if something else must happen first. */
  private Optional<Instant> mayGoFrom(Lane lane, Instant from) {
    Instant at = later(from, writes.allowAt(lane, out.size(), drainsOut(lane)));
    if (at.equals(Instant.MAX)) {
      return Optional.empty();
    }
    return lane.costsBudget() ? budget.nextWithdrawal(at) : Optional.of(at);
  }

  private int drainsOut(Lane lane) {
    return lane.drains() ? (int) out.values().stream().filter(id -> line(id).drains()).count() : 0;
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  private void remove(Waiter waiter) {
    waiters = waiters.minus(waiter.visitor());
    put(line(waiter.visitor().loadBalancer()).left(waiter));
  }

  private Line line(LoadBalancerId id) {
    Line known = lines.get(id);
    return known == null ? Line.of(id) : known;
  }

  /** Stores a line, and lists it where those are found whose turn may be had, now or later. */
  private void put(Line changed) {
    Line old = line(changed.id());
    Line next = changed.freed(old, now);
    herald.changed(old, next);
    String path = next.id().path();
    asleep = asleep.minus(new Wake(old.from(), path));
    for (Lane lane : Lane.values()) {
      old.head(lane).ifPresent(ticket -> replace(lane, ready.get(lane.ordinal()).minus(ticket)));
    }
    if (next.turn().isEmpty() && !next.waiting().isEmpty()) {
      if (next.from().isAfter(now)) {
        asleep = asleep.plus(new Wake(next.from(), path), next.id());
      } else {
        next.waiting()
            .forEach(
                (lane, line) ->
                    replace(lane, ready.get(lane.ordinal()).plus(line.firstKey(), next.id())));
      }
    }
    lines = next.forgettable(now) ? lines.minus(next.id()) : lines.plus(next.id(), next);
  }

  private void replace(Lane lane, TreePMap<Long, LoadBalancerId> next) {
    ready.set(lane.ordinal(), next);
  }
}
