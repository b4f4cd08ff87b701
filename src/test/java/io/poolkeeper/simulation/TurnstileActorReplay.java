package io.poolkeeper.simulation;

import io.poolkeeper.turnstile.Lane;
import io.poolkeeper.turnstile.Requester;
import io.poolkeeper.turnstile.TurnstileActor;
import io.poolkeeper.turnstile.TurnstileEffect;
import io.poolkeeper.turnstile.TurnstileEvent;
import io.poolkeeper.turnstile.TurnstileLimits;
import io.poolkeeper.turnstile.TurnstileObserver;
import io.poolkeeper.turnstile.TurnstileView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.pekko.actor.testkit.typed.Effect;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * The turnstile's actor that lives through events at given times, and what each receiver hears of
 * it, in the order of that receiver. A visitor is a holder and an inbox; its end is the message
 * that the actor has asked for when it began to watch the holder.
 */
final class TurnstileActorReplay implements TurnstileObserver {
  private static final String OBSERVER = "observer";
  private static final String LISTER = "lister";

  private final TestInbox<TurnstileActor.ListingGranted> lister = TestInbox.create(LISTER);
  private final Map<Requester, Holder> holders = new HashMap<>();
  private final Map<ActorRef<?>, TurnstileActor.Command> ends = new HashMap<>();
  private final List<Object> observed = new ArrayList<>();
  private final ReplayedTimer timer = new ReplayedTimer();
  private final BehaviorTestKit<TurnstileActor.Command> kit;
  private Instant now;

  /** Whoever holds turns for a visitor, and where it is told of them. */
  private record Holder(ActorRef<Void> ref, TestInbox<TurnstileActor.Granted> inbox) {}

  /** What the metrics hear of a grant. */
  private record Counted(Lane lane, Duration waited, Duration limited) {}

  /** What the metrics hear of an empty retry budget. */
  private enum HeldBack {
    INSTANCE
  }

  TurnstileActorReplay(TurnstileLimits limits, Instant begun) {
    now = begun;
    kit = BehaviorTestKit.create(TurnstileActor.create(limits, () -> now, this));
    kit.getAllEffects().forEach(effect -> timer.hear(effect, now));
  }

  /** What the actor tells everybody about an event. */
  Map<String, List<Object>> lives(Instant at, TurnstileEvent event) {
    now = at;
    switch (event) {
      case TurnstileEvent.Requested request -> {
        Holder holder = holders.computeIfAbsent(request.requester(), TurnstileActorReplay::holder);
        kit.run(
            new TurnstileActor.RequestTurn(
                request.requester().pool(), holder.ref(), request.lane(), holder.inbox().getRef()));
      }
      case TurnstileEvent.Cancelled cancelled ->
          kit.run(new TurnstileActor.CancelTurn(holders.get(cancelled.requester()).ref()));
      case TurnstileEvent.Returned back ->
          kit.run(
              new TurnstileActor.ReturnTurn(
                  holders.get(back.requester()).ref(), back.turn(), back.result()));
      case TurnstileEvent.HolderGone gone -> ends(gone.requester());
      case TurnstileEvent.ListingRequested listing ->
          kit.run(new TurnstileActor.RequestListing(lister.getRef()));
      case TurnstileEvent.Sent sent -> kit.run(new TurnstileActor.Event(sent));
      case TurnstileEvent.Throttled throttled -> kit.run(new TurnstileActor.Event(throttled));
      case TurnstileEvent.TimerDue due -> timer.fires(kit);
    }
    return heard();
  }

  private static Holder holder(Requester visitor) {
    return new Holder(TestInbox.<Void>create().getRef(), TestInbox.create());
  }

  private void ends(Requester visitor) {
    Holder holder = holders.get(visitor);
    TurnstileActor.Command end = holder == null ? null : ends.remove(holder.ref());
    if (end == null) {
      throw new AssertionError("the actor does not watch " + visitor);
    }
    kit.run(end);
  }

  private Map<String, List<Object>> heard() {
    for (Effect effect : kit.getAllEffects()) {
      timer.hear(effect, now);
      if (effect instanceof Effect.WatchedWith<?, ?> watched) {
        ends.put(watched.other(), (TurnstileActor.Command) watched.message());
      }
    }
    Map<String, List<Object>> heard = new TreeMap<>();
    put(heard, OBSERVER, List.copyOf(observed));
    observed.clear();
    put(heard, LISTER, lister.getAllReceived());
    holders.forEach(
        (visitor, holder) -> put(heard, visitor.toString(), holder.inbox().getAllReceived()));
    return heard;
  }

  private static void put(Map<String, List<Object>> heard, String who, List<?> messages) {
    if (!messages.isEmpty()) {
      heard.put(who, List.copyOf(messages));
    }
  }

  Optional<Instant> wakesAt() {
    return timer.due(now);
  }

  /** What the simulator's cell told everybody. */
  static Map<String, List<Object>> expected(List<TurnstileEffect> effects) {
    Map<String, List<Object>> heard = new TreeMap<>();
    for (TurnstileEffect effect : effects) {
      switch (effect) {
        case TurnstileEffect.Grant grant -> {
          add(heard, OBSERVER, new Counted(grant.lane(), grant.waited(), grant.limited()));
          add(
              heard,
              grant.requester().toString(),
              new TurnstileActor.Granted(grant.turn(), grant.deadline(), grant.evenIfUpdating()));
        }
        case TurnstileEffect.GrantListing listing ->
            add(heard, LISTER, TurnstileActor.ListingGranted.INSTANCE);
        case TurnstileEffect.RetryHeldBack held -> add(heard, OBSERVER, HeldBack.INSTANCE);
        case TurnstileEffect.TurnLost logged -> {}
        case TurnstileEffect.Transition logged -> {}
      }
    }
    return heard;
  }

  private static void add(Map<String, List<Object>> heard, String who, Object message) {
    heard.computeIfAbsent(who, any -> new ArrayList<>()).add(message);
  }

  @Override
  public void changed(TurnstileView view) {}

  @Override
  public void granted(Lane lane, Duration waited, Duration limited) {
    observed.add(new Counted(lane, waited, limited));
  }

  @Override
  public void retryHeldBack() {
    observed.add(HeldBack.INSTANCE);
  }
}
