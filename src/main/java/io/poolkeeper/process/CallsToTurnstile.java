package io.poolkeeper.process;

import io.poolkeeper.actor.CoreActor;
import io.poolkeeper.arm.ArmObserver;
import io.poolkeeper.arm.CallsLeft;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.turnstile.TurnstileEvent;
import java.time.Duration;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * Reports every call to ARM to the turnstile, in-call retries and polls included, as each costs a
 * token; every write that is sent or was accepted; and every 429. Passes all reports on to another
 * observer.
 */
record CallsToTurnstile(ArmObserver shown, ActorRef<CoreActor.Command<TurnstileEvent>> turnstile)
    implements ArmObserver {
  @Override
  public void answered(String call, int status, Duration took) {
    shown.answered(call, status, took);
    turnstile.tell(new CoreActor.Event<>(new TurnstileEvent.Sent(call.equals("put"))));
  }

  @Override
  public void left(CallsLeft calls) {
    shown.left(calls);
  }

  @Override
  public void writes(LoadBalancerId loadBalancer) {
    turnstile.tell(new CoreActor.Event<>(new TurnstileEvent.Writes(loadBalancer)));
  }

  @Override
  public void signedIn(boolean given) {
    shown.signedIn(given);
  }

  @Override
  public void accepted(LoadBalancerId loadBalancer) {
    shown.accepted(loadBalancer);
    turnstile.tell(new CoreActor.Event<>(new TurnstileEvent.Accepted(loadBalancer)));
  }

  @Override
  public void throttled(ArmObserver.Throttle throttle) {
    turnstile.tell(
        new CoreActor.Event<>(
            new TurnstileEvent.Throttled(
                throttle.loadBalancer(), throttle.write(), throttle.until())));
  }
}
