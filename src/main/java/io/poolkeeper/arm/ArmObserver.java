package io.poolkeeper.arm;

import java.time.Duration;

/** Hears of every HTTP exchange with ARM, retries and polls included; made for metrics. */
@FunctionalInterface
public interface ArmObserver {
  /** Hears and forgets. */
  ArmObserver NONE = (call, status, took) -> {};

  /**
   * Called once per exchange, on the thread that met its end; must neither block nor throw.
   *
   * @param call {@code get}, {@code put}, {@code list}, {@code poll} or {@code nic}
   * @param status HTTP status; 0 if there was no answer
   * @param took from sending the request to the head of the answer
   */
  void answered(String call, int status, Duration took);

  /** Called once per answer 429, before the call completes. */
  default void throttled(Throttle throttle) {}
}
