package io.poolkeeper.config;

import io.poolkeeper.access.AccessPolicy;
import io.poolkeeper.admission.AdmissionLimits;
import io.poolkeeper.arm.Azure;
import io.poolkeeper.lock.LockLimits;
import io.poolkeeper.model.AllowedPools;
import io.poolkeeper.node.NodeLimits;
import io.poolkeeper.pool.PoolLimits;
import io.poolkeeper.ratelimit.RateLimiterLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All settings, validated. Names and meaning are those of {@code reference.conf}; the limits of a
 * core are a record of that core.
 *
 * @param updates {@code updater.enabled}
 * @param spot {@code spot.enabled}; where pools are opted in, no node is tainted even so
 * @param maxRetryAfter the longest {@code Retry-After} that is obeyed
 */
public record Settings(
    String clusterName,
    Mode mode,
    boolean optIn,
    Azure azure,
    boolean updates,
    PoolLimits pools,
    boolean spot,
    NodeLimits nodes,
    RateLimiterLimits rateLimiter,
    Duration maxRetryAfter,
    Lock lock,
    LeaderElection leaderElection,
    Admission admission,
    Http http) {
  /** Whether decisions are written. */
  public enum Mode {
    WRITE,
    /** All is decided, and nothing is written. */
    SHADOW
  }

  /** The Lease that is shared with the cloud provider; empty if this process does not take it. */
  public Optional<Lock> shared() {
    return lock.enabled() && !shadow() ? Optional.of(lock) : Optional.empty();
  }

  public boolean shadow() {
    return mode == Mode.SHADOW;
  }

  /** What bindings may name. */
  public AllowedPools allowedPools() {
    return AllowedPools.of(azure.subscriptionId(), admission.allowedPools());
  }

  /** The election that this process stands for: a shadow elects among shadows. */
  public LeaderElection election() {
    return shadow() ? leaderElection.withName(leaderElection.shadowName()) : leaderElection;
  }

  /**
   * The Lease that is shared with other writers of the load balancers.
   *
   * @param drainWait how long drains wait for a Lease that they cannot have; empty: for ever
   * @param unreachableAfter how long members wait for a Lease that can be neither read nor written;
   *     empty: for ever
   */
  public record Lock(
      boolean enabled,
      String name,
      String namespace,
      String identity,
      Duration duration,
      LockLimits limits,
      Optional<Duration> drainWait,
      Optional<Duration> unreachableAfter) {}

  /**
   * The election of the replica that acts.
   *
   * @param name of the Lease
   * @param namespace of the Lease; empty: that of the Pod
   * @param leaseDuration after which a Lease that is not renewed is free, 2 s to 10 min
   * @param renewDeadline after which a leader that cannot renew it acts no more, 1 s to four fifths
   *     of that
   * @param retryPeriod between two tries, 0.1 s to a third of that
   */
  public record LeaderElection(
      boolean enabled,
      String name,
      Optional<String> namespace,
      Duration leaseDuration,
      Duration renewDeadline,
      Duration retryPeriod) {
    private String shadowName() {
      return name + "-shadow";
    }

    /** The names of the Leases that replicas take, whatever their mode. */
    public List<String> names() {
      return List.of(name, shadowName());
    }

    private LeaderElection withName(String other) {
      return new LeaderElection(
          enabled, other, namespace, leaseDuration, renewDeadline, retryPeriod);
    }
  }

  /**
   * Bindings and their admission checks.
   *
   * @param checks of every binding, besides its own
   * @param allowedPools by namespace the patterns of ids of pools that its bindings may name
   */
  public record Admission(
      boolean enabled,
      AdmissionLimits limits,
      List<String> checks,
      Map<String, List<String>> allowedPools) {
    public Admission {
      checks = List.copyOf(checks);
      allowedPools = Map.copyOf(allowedPools);
    }
  }

  /**
   * The address of health, metrics and the API.
   *
   * @param probePort serves health alone, whatever the other port has to do; empty for none
   * @param runbooks the URL of the folder of runbooks
   */
  public record Http(
      String host,
      int port,
      Optional<Integer> probePort,
      AccessPolicy access,
      Optional<String> runbooks,
      Tls tls) {
    /** An address that serves everything to everybody. */
    public static Http open(String host, int port) {
      return new Http(
          host, port, Optional.empty(), AccessPolicy.OPEN, Optional.empty(), new Tls.None());
    }
  }

  public sealed interface Tls {
    record None() implements Tls {}

    /** TLS by a certificate that is made at the start. */
    record SelfMade() implements Tls {}

    /** TLS by PEM files, which may change. */
    record Files(Path certificates, Path key) implements Tls {}
  }
}
