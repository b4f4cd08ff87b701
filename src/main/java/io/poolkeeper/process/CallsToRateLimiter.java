package io.poolkeeper.process;

import io.poolkeeper.actor.CoreActor.Command;
import io.poolkeeper.actor.CoreActor.Event;
import io.poolkeeper.arm.ArmObserver;
import io.poolkeeper.arm.CallsLeft;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.ratelimit.RateLimiterEvent;
import java.time.Duration;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * Reports every call to ARM to the rate limiter, in-call retries and polls included, as each costs
 * a token; every write that is sent or was accepted; and every 429. Passes all reports on to
 * another observer.
 */
record CallsToRateLimiter(ArmObserver shown, ActorRef<Command<RateLimiterEvent>> rateLimiter)
    implements ArmObserver {
  @Override
  public void answered(String call, int status, Duration took) {
    shown.answered(call, status, took);
    tell(new RateLimiterEvent.Sent(call.equals("put")));
  }

  @Override
  public void left(CallsLeft calls) {
    shown.left(calls);
  }

  @Override
  public void writes(LoadBalancerId loadBalancer) {
    tell(new RateLimiterEvent.Writes(loadBalancer));
  }

  @Override
  public void signedIn(boolean given) {
    shown.signedIn(given);
  }

  @Override
  public void accepted(LoadBalancerId loadBalancer) {
    shown.accepted(loadBalancer);
    tell(new RateLimiterEvent.Accepted(loadBalancer));
  }

  @Override
  public void throttled(ArmObserver.Throttle throttle) {
    tell(
        new RateLimiterEvent.Throttled(
            throttle.loadBalancer(), throttle.write(), throttle.until()));
  }

  private void tell(RateLimiterEvent event) {
    rateLimiter.tell(new Event<>(event));
  }
}
