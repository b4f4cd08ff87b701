package io.poolkeeper.lab.scenario;

/** How long ARM dealt with others' calls at a load balancer, which no write of it may overtake. */
@FunctionalInterface
public interface ArmTime {
  /** None that would excuse a delay. */
  ArmTime NONE = (loadBalancer, from, until) -> 0;

  /** The nanoseconds between two monotonic times. */
  long nanos(String loadBalancer, long from, long until);
}
