package io.poolkeeper.status;

import io.poolkeeper.model.AzureError;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.ratelimit.Bucket;
import io.poolkeeper.service.CacheKind;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Why a pool is behind, or why none is followed. Pools with equal causes are one line for people,
 * so a cause has only the parameters that change what they do. A pool in sync has no cause.
 */
public sealed interface Cause {
  /** ARM has asked for a wait; empty if for the whole subscription. */
  record Throttled(Optional<LoadBalancerId> loadBalancer) implements Cause {}

  /**
   * Another pool has the load balancer's one permit; empty if no more permits may be out at all.
   */
  record Queued(Optional<LoadBalancerId> loadBalancer) implements Cause {}

  /** Changes wait for further ones, or for the spacing of a pool's writes. */
  record Batching() implements Cause {}

  /** The pool is being read or written now. */
  record Writing() implements Cause {}

  /**
   * The shared Lease is not ours.
   *
   * @param holder empty if unknown
   * @param error empty unless the Lease cannot be read or written
   */
  record LeaseHeld(String holder, String error) implements Cause {}

  record Refused(MissingRight right) implements Cause {}

  /** A management lock forbids the write; its id, or what it locks; empty if not said. */
  record ResourceLock(String lock) implements Cause {}

  /** Azure Policy forbids the write; the assignment's name is empty if not said. */
  record PolicyDenies(String assignment) implements Cause {}

  /** The resource group is locked down by a deny assignment, whose name is empty if not said. */
  record LockedGroup(String assignment) implements Cause {}

  /** Attempts fail. The status is 0 if there is none. */
  record Failing(int status, String code) implements Cause {}

  /** Another client writes the load balancer at the same moments. */
  record Contested(LoadBalancerId loadBalancer) implements Cause {}

  /** An admission check has not agreed. */
  record HeldByCheck(String why) implements Cause {}

  /** A removal is so large that it waits. */
  record Braked() implements Cause {}

  record Paused() implements Cause {}

  /** The pool is out of scope: neither behind nor followed. */
  record NotManaged(String why) implements Cause {}

  /** The end of the last write of the load balancer is not known yet. */
  record Settling(LoadBalancerId loadBalancer) implements Cause {}

  record RetryBudgetEmpty() implements Cause {}

  /** Our own limit of calls to Azure is used up. */
  record TokensEmpty(Bucket bucket) implements Cause {}

  record SignInFailing() implements Cause {}

  record AzureUnreachable() implements Cause {}

  /**
   * Load balancers cannot be listed. The status is 0 if there is none.
   *
   * @param groups the resource groups that cannot be listed; empty: all of them
   */
  record ListingFailing(List<String> groups, int status, String code) implements Cause {
    public ListingFailing {
      groups = List.copyOf(groups);
    }
  }

  /**
   * Load balancers are there, but cannot be read, so that their pools are left as they are.
   *
   * @param why of the first of them
   * @param used whether the cloud provider manages one of them, or a binding names a pool of one
   */
  record Unreadable(List<LoadBalancerId> loadBalancers, String why, boolean used) implements Cause {
    public Unreadable {
      loadBalancers = List.copyOf(loadBalancers);
    }
  }

  /**
   * Services want pools of their own, and have none that is followed.
   *
   * @param at the load balancers of their pools, which are not managed; empty if no listing shows
   *     one
   */
  record WithoutPool(List<ServiceKey> services, List<LoadBalancerId> at) implements Cause {
    public WithoutPool {
      services = List.copyOf(services);
      at = List.copyOf(at);
    }
  }

  /** An endpoint runs on a node without a Node object, or without an address of its family. */
  record NodeWithoutAddress() implements Cause {}

  /** No EndpointSlice of a Service is known, so that nothing is removed from its pool. */
  record NoEndpointSlice() implements Cause {}

  /**
   * Watches of the API server are lost.
   *
   * @param kinds of objects, as {@code poolkeeper_watch_connected} names them
   */
  record WatchLost(Set<String> kinds) implements Cause {
    public WatchLost {
      kinds = Set.copyOf(kinds);
    }

    static WatchLost of(Collection<CacheKind> kinds) {
      return new WatchLost(
          kinds.stream()
              .map(kind -> kind.name().toLowerCase(Locale.ROOT).replace('_', '-'))
              .collect(Collectors.toSet()));
    }
  }

  /** Nodes whose eviction is announced, and that a pause keeps in service. */
  record PreemptionsPaused(List<NodeKey> nodes) implements Cause {
    public PreemptionsPaused {
      nodes = List.copyOf(nodes);
    }
  }

  /** Nodes whose eviction events alone announce, more than such events may taint at once. */
  record PreemptionsWaiting(List<NodeKey> nodes) implements Cause {
    public PreemptionsWaiting {
      nodes = List.copyOf(nodes);
    }
  }

  /** Another replica leads. */
  record NotLeading() implements Cause {}

  /** This replica does not lead, and knows of none that does. */
  record NoLeader() implements Cause {}

  /**
   * The caches are not complete yet, or load balancers were not listed since this replica leads.
   */
  record Starting() implements Cause {}

  /** Shadow mode: the pool differs, and is not written. */
  record WouldWrite() implements Cause {}

  /** A property of the pool forbids to write it. */
  record LeftAlone(String why) implements Cause {}

  /** Causes that are intended, or that nobody can change: their age is no reason for an alarm. */
  Set<Class<? extends Cause>> ON_PURPOSE =
      Set.of(
          HeldByCheck.class,
          Braked.class,
          Paused.class,
          NotManaged.class,
          LeftAlone.class,
          WouldWrite.class,
          NotLeading.class,
          NoLeader.class,
          PreemptionsPaused.class,
          PreemptionsWaiting.class,
          NoEndpointSlice.class,
          Starting.class);

  /** The name for programs: {@code LeaseHeld} is {@code lease-held}. */
  default String key() {
    return key(getClass());
  }

  static String key(Class<?> cause) {
    return cause.getSimpleName().replaceAll("(?<=.)([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }

  /** The keys of some causes, sorted. */
  static List<String> keys(Predicate<Class<?>> which) {
    return Arrays.stream(Cause.class.getPermittedSubclasses())
        .filter(which)
        .map(Cause::key)
        .sorted()
        .toList();
  }

  /** Who acts next. */
  default Tone tone() {
    return switch (this) {
      case Writing w -> Tone.MOVE;
      case Starting s -> Tone.MOVE;
      case NotManaged n -> Tone.OK;
      case NotLeading n -> Tone.OK;
      case WouldWrite w -> Tone.OK;
      case Refused r -> Tone.NEED;
      case ResourceLock l -> Tone.NEED;
      case PolicyDenies p -> Tone.NEED;
      case LockedGroup l -> Tone.NEED;
      case SignInFailing s -> Tone.NEED;
      case AzureUnreachable a -> Tone.NEED;
      case ListingFailing l -> tone(l.status(), l.code());
      case Unreadable u -> u.used() ? Tone.NEED : Tone.WAIT;
      case WithoutPool w -> Tone.NEED;
      case NoLeader n -> Tone.NEED;
      case PreemptionsPaused p -> Tone.NEED;
      case PreemptionsWaiting p -> Tone.NEED;
      case LeftAlone l -> Tone.NEED;
      case Failing f -> tone(f.status(), f.code());
      case Throttled t -> Tone.WAIT;
      case Queued q -> Tone.WAIT;
      case Batching b -> Tone.WAIT;
      case LeaseHeld l -> l.error().isEmpty() ? Tone.WAIT : Tone.NEED;
      case Contested c -> Tone.WAIT;
      case HeldByCheck h -> Tone.WAIT;
      case Braked b -> Tone.WAIT;
      case Paused p -> Tone.WAIT;
      case Settling s -> Tone.WAIT;
      case RetryBudgetEmpty r -> Tone.WAIT;
      case TokensEmpty t -> Tone.WAIT;
      case NodeWithoutAddress n -> Tone.WAIT;
      case NoEndpointSlice n -> Tone.WAIT;
      case WatchLost w -> Tone.WAIT;
    };
  }

  /** A server's error and a throttle pass; a request that Azure does not accept stays so. */
  private static Tone tone(int status, String code) {
    return switch (AzureError.of(status, code).ender()) {
      case TIME, QUOTA, LOAD_BALANCER -> Tone.WAIT;
      case OTHER_WRITER, GRANT, CREDENTIAL, LOCK, POLICY, LOCKED_GROUP, NOBODY -> Tone.NEED;
    };
  }
}
