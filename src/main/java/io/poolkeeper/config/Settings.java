package io.poolkeeper.config;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

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
  private static final Pattern LOOPBACK =
      Pattern.compile("(?i)localhost|127(\\.\\d{1,3}){3}|\\[::1]|\\[0:0:0:0:0:0:0:1]");

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
   * The endpoint of ARM, what is managed there, and the identity.
   *
   * @param resourceGroup of the cluster
   * @param loadBalancerResourceGroup where load balancers are listed; the cluster's own if not set
   * @param vnetId resource id of the virtual network, written into a pool that has none
   * @param loadBalancers names without {@code -internal}; empty outside multi-SLB mode
   * @param endpoint Resource Manager endpoint, if not the cloud's
   * @param authorityHost authority that issues tokens, if not the cloud's own directory
   * @param audience whom tokens are for, if it is not the endpoint
   * @param trustCaFile PEM certificates to trust besides the JDK's
   */
  public record Azure(
      String subscriptionId,
      String resourceGroup,
      String loadBalancerResourceGroup,
      Optional<String> vnetId,
      List<String> loadBalancers,
      Cloud cloud,
      Optional<URI> endpoint,
      Optional<URI> authorityHost,
      Optional<String> audience,
      Optional<Path> trustCaFile,
      Credential credential,
      String apiVersion) {
    public Azure {
      loadBalancers = List.copyOf(loadBalancers);
    }
  }

  public enum Cloud {
    PUBLIC,
    CHINA,
    US_GOVERNMENT
  }

  /** How the controller authenticates. Secrets are the last component and never printed. */
  public sealed interface Credential {
    /** The Azure SDK's default chain. */
    record Default() implements Credential {}

    /** The federated token of the pod's service account; missing ids come from {@code AZURE_*}. */
    record WorkloadIdentity(Optional<String> tenantId, Optional<String> clientId)
        implements Credential {}

    /** The identity of the machine, or a user-assigned one named by at most one of the two ids. */
    record ManagedIdentity(Optional<String> clientId, Optional<String> resourceId)
        implements Credential {
      /** Distinguishes a resource id from a client id as the cloud provider does. */
      static ManagedIdentity of(Optional<String> id) {
        var resource = id.filter(i -> i.toLowerCase(Locale.ROOT).contains("/subscriptions/"));
        return new ManagedIdentity(resource.isPresent() ? Optional.empty() : id, resource);
      }
    }

    /** A service principal; the file is the azure.json that has the secret, if one has it. */
    record ClientSecret(String tenantId, String clientId, String secret, Optional<Path> file)
        implements Credential {
      /** With the secret that the file has now; unchanged while it cannot be read or has none. */
      public ClientSecret current() {
        return file.flatMap(AzureJson::secret)
            .map(now -> new ClientSecret(tenantId, clientId, now, file))
            .orElse(this);
      }

      @Override
      public String toString() {
        return "ClientSecret[tenantId=%s, clientId=%s, secret=***]".formatted(tenantId, clientId);
      }
    }

    /** No authentication: loopback simulators only. */
    record None() implements Credential {}
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
   * @param trustLoopback whether who connects from loopback needs no token
   */
  public record Http(
      String host,
      int port,
      Optional<Integer> probePort,
      Authorization authorization,
      boolean trustLoopback,
      Tls tls) {
    /** One that serves everything to everybody. */
    public static Http open(String host, int port) {
      return new Http(host, port, Optional.empty(), Authorization.OFF, false, new Tls.None());
    }
  }

  public sealed interface Tls {
    record None() implements Tls {}

    /** By a certificate that is made at the start. */
    record SelfMade() implements Tls {}

    /** By PEM files, which may change. */
    record Files(Path certificates, Path key) implements Tls {}
  }

  /** What needs a token whose owner has the right to read it. */
  public enum Authorization {
    /** Metrics, the API and so what the page shows. */
    REQUIRED,

    /** The same without metrics. */
    METRICS_OPEN,

    OFF
  }

  /**
   * Whether a URL's host is this machine. Decides by the text: a name that resolves to a loopback
   * address is not trusted.
   */
  public static boolean isLoopback(URI url) {
    return isLoopback(url.getHost());
  }

  static boolean isLoopback(String host) {
    return LOOPBACK.matcher(host).matches();
  }
}
