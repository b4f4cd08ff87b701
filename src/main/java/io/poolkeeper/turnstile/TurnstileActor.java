package io.poolkeeper.turnstile;

import io.poolkeeper.model.PoolId;
import io.poolkeeper.turnstile.TurnstileCore.Event;
import io.poolkeeper.turnstile.TurnstileState.Visitor;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Hands out turns: whoever holds one may read and write pools of that load balancer, and nobody
 * else may. A turn whose holder ends is free again. Policy: {@link TurnstileCore}.
 */
public final class TurnstileActor extends AbstractMatchingBehavior<TurnstileActor.Command> {
  /** What a pool may say to the turnstile, and what it is told of the pools' ends. */
  public sealed interface Command {}

  /**
   * Asks for a turn.
   *
   * @param holder ends the turn with its own end
   */
  public record RequestTurn(PoolId pool, ActorRef<?> holder, ActorRef<Granted> replyTo)
      implements Command {}

  /** Leaves the line; a turn already granted must still be returned. */
  public record CancelTurn(ActorRef<?> holder) implements Command {}

  /** Gives a turn back; an old number is ignored. */
  public record ReturnTurn(ActorRef<?> holder, long turn) implements Command {}

  private record HolderGone(ActorRef<?> holder) implements Command {}

  /** The turn is yours until you return it. */
  public record Granted(long turn) {}

  private final Map<ActorRef<?>, Visitor> visitors = new HashMap<>();
  private final Map<Visitor, ActorRef<Granted>> replies = new HashMap<>();
  private long nextIncarnation = 1;
  private TurnstileState state = TurnstileState.EMPTY;

  public static Behavior<Command> create() {
    return Behaviors.setup(TurnstileActor::new);
  }

  private TurnstileActor(ActorContext<Command> context) {
    super(context);
  }

  @Override
  public Behavior<Command> onMessage(Command command) {
    switch (command) {
      case RequestTurn request -> onRequestTurn(request);
      case CancelTurn cancel -> known(cancel.holder(), Event.Cancelled::new);
      case ReturnTurn back -> known(back.holder(), v -> new Event.Returned(v, back.turn()));
      case HolderGone gone -> onHolderGone(gone);
    }
    return this;
  }

  private void onRequestTurn(RequestTurn request) {
    Visitor visitor = visitors.get(request.holder());
    if (visitor == null) {
      visitor = new Visitor(request.pool(), nextIncarnation++);
      visitors.put(request.holder(), visitor);
      replies.put(visitor, request.replyTo());
      getContext().watchWith(request.holder(), new HolderGone(request.holder()));
    }
    decide(new Event.Requested(visitor));
  }

  private void onHolderGone(HolderGone gone) {
    Visitor visitor = visitors.remove(gone.holder());
    if (visitor != null) {
      replies.remove(visitor);
      decide(new Event.HolderGone(visitor));
    }
  }

  private void known(ActorRef<?> holder, Function<Visitor, Event> event) {
    Visitor visitor = visitors.get(holder);
    if (visitor != null) {
      decide(event.apply(visitor));
    }
  }

  private void decide(Event event) {
    TurnstileCore.Decision decision = TurnstileCore.decide(state, event);
    state = decision.state();
    decision.grant().ifPresent(this::tell);
  }

  private void tell(TurnstileCore.Grant grant) {
    ActorRef<Granted> replyTo = replies.get(grant.visitor());
    if (replyTo != null) {
      replyTo.tell(new Granted(grant.turn()));
    }
  }
}
