package io.poolkeeper.turnstile;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.turnstile.TurnstileState.Line;
import io.poolkeeper.turnstile.TurnstileState.Turn;
import io.poolkeeper.turnstile.TurnstileState.Visitor;
import java.util.List;
import java.util.Optional;

/**
 * The policy of turns: one per load balancer, first come first served, numbered, so that a turn
 * that is given back twice frees nobody else's.
 */
final class TurnstileCore {
  private TurnstileCore() {}

  /** What can happen at the turnstile. */
  sealed interface Event {
    /** A visitor wants a turn; asking again changes nothing. */
    record Requested(Visitor visitor) implements Event {}

    /** A visitor does not want one any more. */
    record Cancelled(Visitor visitor) implements Event {}

    /** A turn is given back. */
    record Returned(Visitor visitor, long turn) implements Event {}

    /** The visitor's actor ended, with or without a turn. */
    record HolderGone(Visitor visitor) implements Event {}
  }

  /** A visitor is granted its turn. */
  record Grant(Visitor visitor, long turn) {}

  /** The next state, and the grant that follows from it, if any. */
  record Decision(TurnstileState state, Optional<Grant> grant) {}

  static Decision decide(TurnstileState state, Event event) {
    return switch (event) {
      case Event.Requested requested -> onRequested(state, requested.visitor());
      case Event.Cancelled cancelled -> new Decision(cancel(state, cancelled.visitor()), nobody());
      case Event.Returned returned -> onReturned(state, returned.visitor(), returned.turn());
      case Event.HolderGone gone -> onHolderGone(state, gone.visitor());
    };
  }

  private static Decision onRequested(TurnstileState state, Visitor visitor) {
    Optional<Line> line = state.line(visitor.loadBalancer());
    if (line.isEmpty()) {
      return grant(state, visitor, List.of());
    }
    return line.get().waiting().contains(visitor)
        ? new Decision(state, nobody())
        : new Decision(
            state.with(visitor.loadBalancer(), line.get().withWaiter(visitor)), nobody());
  }

  private static TurnstileState cancel(TurnstileState state, Visitor visitor) {
    return state
        .line(visitor.loadBalancer())
        .map(line -> state.with(visitor.loadBalancer(), line.withoutWaiter(visitor)))
        .orElse(state);
  }

  private static Decision onReturned(TurnstileState state, Visitor visitor, long turn) {
    LoadBalancerId loadBalancer = visitor.loadBalancer();
    Optional<Line> line = state.line(loadBalancer).filter(l -> l.turn().number() == turn);
    if (line.isEmpty()) {
      return new Decision(state, nobody());
    }
    List<Visitor> waiting = line.get().waiting();
    return waiting.isEmpty()
        ? new Decision(state.without(loadBalancer), nobody())
        : grant(state, waiting.getFirst(), waiting.subList(1, waiting.size()));
  }

  private static Decision onHolderGone(TurnstileState state, Visitor visitor) {
    TurnstileState without = cancel(state, visitor);
    return without
        .line(visitor.loadBalancer())
        .filter(line -> line.turn().holder().equals(visitor))
        .map(line -> onReturned(without, visitor, line.turn().number()))
        .orElse(new Decision(without, nobody()));
  }

  private static Decision grant(TurnstileState state, Visitor visitor, List<Visitor> waiting) {
    Turn turn = new Turn(state.nextTurn(), visitor);
    TurnstileState next = state.with(visitor.loadBalancer(), new Line(turn, waiting));
    return new Decision(next, Optional.of(new Grant(visitor, turn.number())));
  }

  private static Optional<Grant> nobody() {
    return Optional.empty();
  }
}
