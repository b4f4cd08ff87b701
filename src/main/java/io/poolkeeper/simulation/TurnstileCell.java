package io.poolkeeper.simulation;

import io.poolkeeper.arm.Throttle;
import io.poolkeeper.core.Decision;
import io.poolkeeper.model.TurnResult;
import io.poolkeeper.turnstile.Lane;
import io.poolkeeper.turnstile.Requester;
import io.poolkeeper.turnstile.TurnstileCore;
import io.poolkeeper.turnstile.TurnstileEffect;
import io.poolkeeper.turnstile.TurnstileEvent;
import io.poolkeeper.turnstile.TurnstileState;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/** The turnstile's actor: its core, its timer, and where its answers go. */
final class TurnstileCell {
  static final String NAME = "turnstile";

  final Life life;
  private final TurnstileCore core;
  private final Alarm alarm;
  private final Map<Requester, PoolCell> visitors = new HashMap<>();
  private TurnstileState state;

  TurnstileCell(Life life) {
    this.life = life;
    this.core = new TurnstileCore(life.swarm.turnstileLimits());
    this.alarm = new Alarm(life, () -> decide(new TurnstileEvent.TimerDue()));
    this.state = core.initial(life.time.now());
  }

  TurnstileState state() {
    return state;
  }

  void request(PoolCell pool, Lane lane) {
    visitors.put(pool.visitor, pool);
    life.checker.asked(pool, lane);
    decide(new TurnstileEvent.Requested(pool.visitor, lane));
  }

  void cancel(PoolCell pool) {
    life.checker.left(pool);
    decide(new TurnstileEvent.Cancelled(pool.visitor));
  }

  void back(PoolCell pool, long turn, TurnResult result) {
    if (result == TurnResult.UNRESOLVED || result == TurnResult.OTHER_WRITER) {
      life.checker.mark(Mark.SETTLING);
    }
    decide(new TurnstileEvent.Returned(pool.visitor, turn, result));
  }

  /** Only who has asked for a turn is watched. */
  void gone(PoolCell pool) {
    if (visitors.remove(pool.visitor) != null) {
      life.checker.left(pool);
      life.checker.turnLost(pool);
      decide(new TurnstileEvent.HolderGone(pool.visitor));
    }
  }

  void listing() {
    decide(new TurnstileEvent.ListingRequested());
  }

  void sent(boolean write) {
    decide(new TurnstileEvent.Sent(write));
  }

  void throttled(Throttle throttle) {
    life.checker.throttled(life, throttle);
    decide(
        new TurnstileEvent.Throttled(throttle.loadBalancer(), throttle.write(), throttle.until()));
  }

  private void decide(TurnstileEvent event) {
    Decision<TurnstileState, TurnstileEffect> decision =
        core.decide(state, event, life.time.now(), new SplittableRandom(0));
    state = decision.state();
    decision.effects().forEach(this::run);
    alarm.at(core.wakeAt(decision.state()));
    life.checker.turnstile(life, state);
    life.witness.decided(this, event, decision);
  }

  private void run(TurnstileEffect effect) {
    switch (effect) {
      case TurnstileEffect.Grant grant -> grant(grant);
      case TurnstileEffect.GrantListing listing -> life.post(NAME, MapCell.NAME, life.map::listNow);
      case TurnstileEffect.RetryHeldBack held -> life.checker.heldBack(life);
      case TurnstileEffect.Transition transition -> life.trace.say(transition.toString());
      case TurnstileEffect.TurnLost lost -> {
        PoolCell pool = visitors.get(lost.requester());
        life.checker.mark(Mark.TURN_LOST);
        if (pool != null) {
          life.checker.turnLost(pool);
        }
      }
    }
  }

  private void grant(TurnstileEffect.Grant grant) {
    PoolCell pool = visitors.get(grant.requester());
    if (pool == null) {
      return;
    }
    life.checker.granted(pool, grant);
    life.post(
        NAME,
        pool.name,
        () -> pool.granted(grant.turn(), grant.deadline(), grant.evenIfUpdating()));
  }
}
