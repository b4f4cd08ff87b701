package io.poolkeeper.process;

import io.poolkeeper.arm.WriteFence;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.LoadBalancerId;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/**
 * Withholds a try of a write while another replica may lead, or once the session of the shared
 * Lease for the load balancer's permit is over. Times are monotonic and compared at each try, so
 * that a process that stood still sends nothing late.
 */
final class PermitFence implements WriteFence {
  private final InstantSource clock;
  private final BooleanSupplier leads;

  /** Set by the rate limiter, for load balancers with a permit under a Lease. */
  private final Map<LoadBalancerId, Instant> until = new ConcurrentHashMap<>();

  /** No permit is restricted yet; {@code leads} says whether a write may begin now. */
  PermitFence(InstantSource clock, BooleanSupplier leads) {
    this.clock = clock;
    this.leads = leads;
  }

  /** Writes at a load balancer may begin before that time, until the next call. */
  void writesUntil(LoadBalancerId loadBalancer, Instant end) {
    until.put(loadBalancer, end);
  }

  @Override
  public Optional<ArmFailure> refusal(LoadBalancerId loadBalancer) {
    if (!leads.getAsBoolean()) {
      return Optional.of(
          new ArmFailure(ArmFailure.Kind.SHUTDOWN, 0, "", "this replica does not lead"));
    }
    return clock.instant().isBefore(until.getOrDefault(loadBalancer, Instant.MAX))
        ? Optional.empty()
        : Optional.of(
            new ArmFailure(
                ArmFailure.Kind.WITHHELD, 0, "", "not sent, as the shared Lease went back"));
  }
}
