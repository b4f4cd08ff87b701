package io.poolkeeper.arm;

import io.poolkeeper.model.LoadBalancerId;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Receives each HTTP exchange with ARM, retries and polls included, and what its answer says. */
@FunctionalInterface
public interface ArmObserver {
  ArmObserver NONE = (call, status, took) -> {};

  /**
   * Called once per exchange, on the thread that met its end; must neither block nor throw.
   *
   * @param call {@code get}, {@code put}, {@code list}, {@code poll}, {@code nic} or {@code rights}
   * @param status HTTP status; 0 if there was no answer
   * @param took from sending the request to the head of the answer
   */
  void answered(String call, int status, Duration took);

  /**
   * Called before each try of a write that may begin. Once it has a connection, the try may still
   * be withheld; then {@link #answered} is not called for it.
   */
  default void writes(LoadBalancerId loadBalancer) {}

  /** Called when ARM has accepted a write of a pool, before the call goes on. */
  default void accepted(LoadBalancerId loadBalancer) {}

  /** Called once per answer that says how much of the quota is left. */
  default void left(CallsLeft calls) {}

  /** Called when the identity provider was asked for a token; {@code given} if there was one. */
  default void signedIn(boolean given) {}

  /** Called once per answer 429, before the call completes. */
  default void throttled(Throttle throttle) {}

  /**
   * ARM answered 429.
   *
   * @param loadBalancer the only one that is concerned; empty for the whole subscription
   * @param write whether calls that write are concerned, or calls that read
   * @param until when ARM takes such calls again, monotonic; not in the future if ARM did not say
   */
  record Throttle(Optional<LoadBalancerId> loadBalancer, boolean write, Instant until) {}
}
