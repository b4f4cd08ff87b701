package io.poolkeeper.admission;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.pool.PoolStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What the status of a binding should say.
 *
 * @param pool the pool that the binding names, whether or not it may; empty if its spec is wrong
 * @param shown the pool as its actor knows it; empty while the pool has no actor
 * @param requeueAt the end of a hold, by the API server's clock
 * @param checks all entries of its admission checks
 */
public record BindingReport(
    Condition ready,
    Condition admitted,
    Condition throttled,
    Optional<PoolId> pool,
    Optional<Shown> shown,
    Optional<Instant> requeueAt,
    List<Check> checks) {
  public BindingReport {
    checks = List.copyOf(checks);
  }

  public enum Truth {
    TRUE,
    FALSE,
    UNKNOWN
  }

  /**
   * A condition in the form that all of Kubernetes has.
   *
   * @param reason one word
   * @param message for people
   */
  public record Condition(Truth status, String reason, String message) {}

  /**
   * The pool in a status.
   *
   * @param desired what the Service of the binding desires there
   * @param added those of inPool that carry the cluster's mark
   * @param retries of the change that was retried most
   * @param nextEligibleAt nothing is written before; monotonic
   */
  public record Shown(
      Set<Address> desired,
      Set<Address> inPool,
      Set<Address> down,
      Set<Address> added,
      int queued,
      int retries,
      Optional<Instant> nextEligibleAt,
      Optional<String> lastError) {
    static Shown of(PoolStatus status, Optional<BindingTarget> target) {
      return new Shown(
          target.map(BindingTarget::service).map(status.services()::get).orElse(Set.of()),
          status.members().inPool(),
          status.members().down(),
          status.members().added(),
          status.activity().queued(),
          status.activity().retries().stream().mapToInt(Integer::intValue).max().orElse(0),
          status.activity().until(),
          status.lastError().map(ArmFailure::toString));
    }
  }
}
