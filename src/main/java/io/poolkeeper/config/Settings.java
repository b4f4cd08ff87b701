package io.poolkeeper.config;

import io.poolkeeper.access.AccessPolicy;
import io.poolkeeper.arm.Azure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All settings, validated. Names and meaning are those of {@code reference.conf}. */
public record Settings(
    String clusterName,
    Mode mode,
    boolean optIn,
    Azure azure,
    Updater updater,
    AdminState adminState,
    Spot spot,
    Brake brake,
    Turnstile turnstile,
    Lock lock,
    LeaderElection leaderElection,
    Admission admission,
    Http http) {
  /** What leaves the process. */
  public enum Mode {
    WRITE,
    /** All is decided, and nothing is written. */
    SHADOW
  }

  public boolean shadow() {
    return mode == Mode.SHADOW;
  }

  /** The election that this process stands for: a shadow elects among shadows. */
  public LeaderElection election() {
    return shadow() ? leaderElection.named(leaderElection.shadowName()) : leaderElection;
  }

  /**
   * How pools follow the cluster.
   *
   * @param interval the longest spacing of a pool's writes, 0.1 s to 1 h
   * @param minInterval the spacing after the first of them, 0.1 s or more; above the interval it
   *     counts as the interval
   * @param verifyAfter how long after a write the pool is looked at once more; zero if never
   * @param coalesceWindow how long the first change after a quiet interval waits for further ones
   * @param maxRetries how many retriable failures a change survives, 0 to 100
   * @param resync how often load balancers are listed at least
   */
  public record Updater(
      boolean enabled,
      Duration interval,
      Duration minInterval,
      Duration verifyAfter,
      boolean leadingEdge,
      Duration coalesceWindow,
      int maxRetries,
      Duration resync) {}

  /**
   * How pools follow the nodes that are leaving.
   *
   * @param coalesceWindow how long the first change waits for further ones, 0 to 10 s
   * @param minBackoff how long a write that failed waits the first time, 0.1 s to 1 h
   * @param maxBackoff and at most; not less than the first time
   * @param minActive so many entries of each pool are not set Down, 0 to 5,000
   * @param extraTaints keys of further taints that mean leaving
   */
  public record AdminState(
      boolean enabled,
      Duration coalesceWindow,
      Duration minBackoff,
      Duration maxBackoff,
      int minActive,
      List<String> extraTaints) {
    public AdminState {
      extraTaints = List.copyOf(extraTaints);
    }
  }

  /**
   * The announced eviction of a spot machine.
   *
   * @param enabled whether it taints the node
   * @param eventMessages how the messages of events begin that announce one; {@code *} alone: any
   */
  public record Spot(boolean enabled, List<String> eventMessages) {
    public Spot {
      eventMessages = List.copyOf(eventMessages);
    }
  }

  /**
   * How long a large removal waits.
   *
   * @param maxRemoval thousandths of a pool's entries that may go at once, 1 to 1,000
   * @param minEntries fewer may always go, but for the last of a pool; 1 to 5,000
   * @param delay 0 to 1 h; zero: nothing waits
   */
  public record Brake(int maxRemoval, int minEntries, Duration delay) {}

  /**
   * The limits of calls to ARM.
   *
   * @param maxInFlight the most turns in flight
   * @param settleLimit how long a load balancer with an unresolved write may settle
   * @param turnDeadline how long one attempt (GET, PUT and its operation) may hold a load balancer
   * @param maxRetryAfter the longest {@code Retry-After} that is obeyed
   */
  public record Turnstile(
      Writes writes,
      Reads reads,
      Early early,
      int maxInFlight,
      Duration turnDeadline,
      Duration settleLimit,
      Budget retryBudget,
      Duration maxRetryAfter) {}

  /**
   * Write tokens.
   *
   * @param milliPerSecond thousandths per second
   * @param initial tokens at the start
   * @param reserveBurst tokens for drains only
   */
  public record Writes(
      int milliPerSecond, int burst, int initial, int reserveBurst, int reserveInitial) {}

  /**
   * Tokens of writes that go sooner than an interval after the one before.
   *
   * @param milliPerSecond thousandths per second
   * @param share thousandths of a load balancer's time, 1 to 1,000
   */
  public record Early(int milliPerSecond, int burst, int initial, int share) {}

  /** Read tokens; thousandths per second. */
  public record Reads(int milliPerSecond, int burst) {}

  /**
   * The retry budget.
   *
   * @param perSecond thousandths of free retries per second
   * @param percent retries per 100 deposits
   * @param depositAttempts whether first attempts deposit, instead of successes
   */
  public record Budget(
      int cap, Duration ttl, int perSecond, int percent, boolean depositAttempts) {}

  /**
   * The Lease that is shared with other writers of the load balancers.
   *
   * @param duration 15 min to 1 h
   * @param maxHold how long members are granted turns in one session, 0.1 s to 1 min
   * @param maxTail how long after ARM has accepted it a write keeps the Lease, 0.1 s to 10 s
   * @param yield between two sessions for members, 50 ms up to {@code maxHold}
   * @param drainWait how long drains wait for one that they cannot have, 0.1 s to 1 h; empty: for
   *     ever
   * @param unreachableAfter how long members wait for one that can be neither read nor written, 0.1
   *     s to 1 h; empty: for ever
   */
  public record Lock(
      boolean enabled,
      String name,
      String namespace,
      String identity,
      Duration duration,
      Duration maxHold,
      Duration maxTail,
      Duration yield,
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

    /** Of the Leases that replicas take, whatever their mode. */
    public List<String> names() {
      return List.of(name, shadowName());
    }

    private LeaderElection named(String other) {
      return new LeaderElection(
          enabled, other, namespace, leaseDuration, renewDeadline, retryPeriod);
    }
  }

  /**
   * Bindings and their admission checks.
   *
   * @param maxDelay the longest delay that a check may ask for, 1 s to 365 days
   * @param checks of every binding, besides its own
   * @param allowedPools by namespace the patterns of ids of pools that its bindings may name
   */
  public record Admission(
      boolean enabled,
      Duration maxDelay,
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
   */
  public record Http(
      String host, int port, Optional<Integer> probePort, AccessPolicy access, Tls tls) {
    /** One that serves everything to everybody. */
    public static Http open(String host, int port) {
      return new Http(host, port, Optional.empty(), AccessPolicy.OPEN, new Tls.None());
    }
  }

  public sealed interface Tls {
    record None() implements Tls {}

    /** By a certificate that is made at the start. */
    record SelfMade() implements Tls {}

    /** By PEM files, which may change. */
    record Files(Path certificates, Path key) implements Tls {}
  }
}
