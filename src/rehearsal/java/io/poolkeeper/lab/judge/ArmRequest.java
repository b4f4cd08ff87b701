package io.poolkeeper.lab.judge;

import io.poolkeeper.armsim.ArmLogEntry;
import io.poolkeeper.armsim.fault.FaultRule;
import io.poolkeeper.armsim.fault.FaultRule.Reset;
import io.poolkeeper.armsim.fault.LroFault;
import io.poolkeeper.armsim.protocol.ArmPath;
import io.poolkeeper.armsim.protocol.ArmPath.OperationStatus;
import io.poolkeeper.model.PoolId;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A request of the controller in the ARM simulator's log, and the fault rule that applied to it.
 * The controller reads and writes pools, lists load balancers and polls; other requests in the log
 * are the lab's own.
 *
 * @param arrivedNanos monotonic
 * @param pool empty for lists and polls
 * @param code of the error; empty for a success
 * @param canceled whether another client's write cancelled its operation
 */
public record ArmRequest(
    long arrivedNanos,
    boolean writes,
    String path,
    Optional<PoolId> pool,
    int status,
    String code,
    Optional<FaultRule> rule,
    boolean canceled) {
  /** A client waits so long for an answer. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final int THROTTLED = 429;
  private static final Set<Integer> RETRIABLE = Set.of(409, 412, THROTTLED);

  /** Parses an entry of the log; empty if the controller sends no such request. */
  public static Optional<ArmRequest> of(
      ArmLogEntry entry, Map<Long, FaultRule> rules, boolean canceled) {
    ArmPath path = ArmPath.parse(entry.path());
    boolean other = path.listsBalancers() || path instanceof OperationStatus;
    if (!other && path.pool().isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new ArmRequest(
            entry.arrivedNanos(),
            !entry.method().equals("GET"),
            entry.path(),
            path.pool(),
            entry.status(),
            entry.code(),
            entry.by().rule().flatMap(id -> Optional.ofNullable(rules.get(id))),
            canceled));
  }

  /** Whether it is a write that ARM accepted, whatever its operation's end. */
  public boolean accepted() {
    return writesPool() && status / 100 == 2;
  }

  public boolean writesPool() {
    return writes && pool.isPresent();
  }

  public boolean readsPool() {
    return !writes && pool.isPresent();
  }

  /** Whether it is a listing of load balancers, or a further page of one. */
  public boolean lists() {
    return pool.isEmpty() && !path.toLowerCase(Locale.ROOT).contains("/operations/");
  }

  /** Whether it ended an attempt with a retriable failure. */
  public boolean retriable() {
    boolean spoilt = status / 100 == 2 && (canceled || rule.filter(ArmRequest::spoils).isPresent());
    return pool.isPresent() && (RETRIABLE.contains(status) || spoilt);
  }

  private static boolean spoils(FaultRule met) {
    return met.reset() != Reset.NONE
        || met.withheld().compareTo(PATIENCE) > 0
        || met.lro().filter(lro -> lro.kind() != LroFault.Kind.SLOW).isPresent();
  }

  boolean throttled() {
    return status == THROTTLED;
  }

  /** Whether a throttle is a lock on one load balancer, not a quota. */
  boolean locked() {
    return pool.isPresent() && code.startsWith("RetryableError");
  }

  /** The wait that ARM asked for; empty if it did not, or if it is unknown here. */
  Optional<Duration> advice() {
    return rule.flatMap(FaultRule::retryAfterSeconds)
        .map(Duration::ofSeconds)
        .filter(Duration::isPositive);
  }

  @Override
  public String toString() {
    return "%s %s".formatted(writes ? "write" : "read", pool.map(PoolId::name).orElse(path));
  }
}
