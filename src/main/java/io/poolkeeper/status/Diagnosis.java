package io.poolkeeper.status;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.AzureError;
import io.poolkeeper.model.AzureError.Ender;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.pool.Difference;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.ratelimit.Bucket;
import io.poolkeeper.ratelimit.Obstacle;
import io.poolkeeper.service.CacheKind;
import io.poolkeeper.service.MissingPool;
import io.poolkeeper.service.ServiceMapObserver.Knowledge;
import io.poolkeeper.service.UnknownPools;
import io.poolkeeper.status.Cause.AzureUnreachable;
import io.poolkeeper.status.Cause.Batching;
import io.poolkeeper.status.Cause.Braked;
import io.poolkeeper.status.Cause.Contested;
import io.poolkeeper.status.Cause.Failing;
import io.poolkeeper.status.Cause.HeldByCheck;
import io.poolkeeper.status.Cause.LeftAlone;
import io.poolkeeper.status.Cause.ListingFailing;
import io.poolkeeper.status.Cause.LockedGroup;
import io.poolkeeper.status.Cause.NoEndpointSlice;
import io.poolkeeper.status.Cause.NoLeader;
import io.poolkeeper.status.Cause.NodeWithoutAddress;
import io.poolkeeper.status.Cause.NotLeading;
import io.poolkeeper.status.Cause.NotManaged;
import io.poolkeeper.status.Cause.Paused;
import io.poolkeeper.status.Cause.PolicyDenies;
import io.poolkeeper.status.Cause.PreemptionsWaiting;
import io.poolkeeper.status.Cause.Queued;
import io.poolkeeper.status.Cause.Refused;
import io.poolkeeper.status.Cause.ResourceLock;
import io.poolkeeper.status.Cause.RetryBudgetEmpty;
import io.poolkeeper.status.Cause.Settling;
import io.poolkeeper.status.Cause.SignInFailing;
import io.poolkeeper.status.Cause.Starting;
import io.poolkeeper.status.Cause.Throttled;
import io.poolkeeper.status.Cause.TokensEmpty;
import io.poolkeeper.status.Cause.WatchLost;
import io.poolkeeper.status.Cause.WouldWrite;
import io.poolkeeper.status.Cause.Writing;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Finds the cause of each state. Total: each state of a pool and each obstacle has an answer. */
final class Diagnosis {
  private static final String BINDINGS = "bindings";

  private Diagnosis() {}

  /** Why the pool is behind; empty if it is in sync. */
  static Optional<Cause> of(PoolStatus pool, Surroundings around) {
    return switch (pool.state()) {
      case IDLE -> idle(pool, around);
      case GATHERING -> Optional.of(failure(pool, around).orElse(new Batching()));
      case PARKED -> Optional.of(throttled(pool, around));
      case BRAKED -> Optional.of(new Braked());
      case HELD -> Optional.of(new HeldByCheck(pool.activity().why()));
      case PAUSED -> Optional.of(new Paused());
      case WAITING -> Optional.of(waiting(pool, around));
      case READING, WRITING -> Optional.of(new Writing());
      case FAILED ->
          Optional.of(lost(around).or(() -> failure(pool, around)).orElse(new Failing(0, "")));
      case POSTPONED -> Optional.of(lost(around).orElse(new Contested(pool.id().loadBalancer())));
      case STOPPED -> Optional.of(new NotLeading());
      case OPTED_OUT -> Optional.of(new NotManaged(pool.activity().why()));
    };
  }

  private static Optional<Cause> idle(PoolStatus pool, Surroundings around) {
    Difference differs = pool.difference();
    if (!pool.activity().wouldWrite().isEmpty()) {
      return Optional.of(new WouldWrite());
    }
    // Drains go on while a watch is lost.
    boolean drainFails = differs.down() + differs.up() > 0 && differs.failure().isPresent();
    boolean open = !differs.isEmpty() || !differs.known();
    if (open && !around.lost().isEmpty() && !drainFails) {
      return lost(around);
    }
    Optional<String> leftAlone = pool.picture().leftAlone();
    if (differs.known() && leftAlone.isPresent() && !drainFails) {
      return Optional.of(new LeftAlone(leftAlone.get()));
    }
    if (differs.nodeless()) {
      return Optional.of(new NodeWithoutAddress());
    }
    if (differs.isEmpty()) {
      return differs.known() ? Optional.empty() : Optional.of(new NoEndpointSlice());
    }
    return Optional.of(
        differs.failure().map(failure -> failed(pool, failure, around)).orElse(new Batching()));
  }

  private static Optional<Cause> lost(Surroundings around) {
    return around.lost().isEmpty() ? Optional.empty() : Optional.of(WatchLost.of(around.lost()));
  }

  private static Cause waiting(PoolStatus pool, Surroundings around) {
    // The request may not have reached the rate limiter yet.
    Obstacle why = around.waiting(pool).map(line -> line.waiting().why()).orElse(Obstacle.NEXT);
    return switch (why) {
      case TURN, NEXT -> new Queued(Optional.of(pool.id().loadBalancer()));
      case IN_FLIGHT -> new Queued(Optional.empty());
      case LOAD_BALANCER_GATE -> new Throttled(Optional.of(pool.id().loadBalancer()));
      case SUBSCRIPTION_GATE, SLOW_START -> new Throttled(Optional.empty());
      case SETTLING -> new Settling(pool.id().loadBalancer());
      case EARLY_PAUSE -> new Batching();
      case READ_TOKENS -> new TokensEmpty(Bucket.READS);
      case WRITE_TOKENS -> new TokensEmpty(Bucket.WRITES);
      case EARLY_TOKENS -> new TokensEmpty(Bucket.EARLY);
      case RETRY_BUDGET -> new RetryBudgetEmpty();
      case LEASE -> around.leaseHeld();
    };
  }

  /** A closed gate of the subscription holds every load balancer. */
  private static Throttled throttled(PoolStatus pool, Surroundings around) {
    return new Throttled(
        around.gate().isPresent() ? Optional.empty() : Optional.of(pool.id().loadBalancer()));
  }

  private static Optional<Cause> failure(PoolStatus pool, Surroundings around) {
    return pool.lastError().map(failure -> failed(pool, failure, around));
  }

  private static Cause failed(PoolStatus pool, ArmFailure failure, Surroundings around) {
    LoadBalancerId at = pool.id().loadBalancer();
    return general(failure, MissingRight.WRITE, at.path())
        .orElseGet(
            () ->
                switch (failure.error().ender()) {
                  case OTHER_WRITER -> new Contested(at);
                  case LOAD_BALANCER -> throttled(pool, around);
                  case QUOTA -> new Throttled(Optional.empty());
                  default -> new Failing(failure.status(), failure.code());
                });
  }

  /** The cause that the failure of any call may have; empty if it is one of this pool. */
  private static Optional<Cause> general(ArmFailure failure, String action, String scope) {
    return switch (failure.kind()) {
      case AUTHENTICATION -> Optional.of(new SignInFailing());
      case UNRESOLVED -> Optional.of(new Failing(0, ""));
      case UNCONNECTED, TRANSPORT, UNTRUSTED -> Optional.of(new AzureUnreachable());
      case RESPONSE, THROTTLED, MALFORMED, OPERATION, CANCELED, UNDONE, WITHHELD, SHUTDOWN, OTHER ->
          answered(failure, action, scope);
    };
  }

  /** The cause that Azure gives in its answer, by who can end it. */
  private static Optional<Cause> answered(ArmFailure failure, String action, String scope) {
    AzureError error = failure.error();
    String named = error.named(failure.message());
    return switch (error.ender()) {
      case GRANT -> Optional.of(new Refused(MissingRight.of(failure, action, scope)));
      case CREDENTIAL -> Optional.of(new SignInFailing());
      case LOCK -> Optional.of(new ResourceLock(named));
      case POLICY -> Optional.of(new PolicyDenies(named));
      case LOCKED_GROUP -> Optional.of(new LockedGroup(named));
      case TIME, OTHER_WRITER, QUOTA, LOAD_BALANCER, NOBODY -> Optional.empty();
    };
  }

  /**
   * The causes that concern all of this process, or keep it from following any pool.
   *
   * @param waiting nodes whose eviction does not taint them yet
   * @param bindingsLost whether bindings are followed, and their watch is not complete
   * @param leader the one that leads, if known
   */
  static List<Cause> ofProcess(
      Knowledge knowledge,
      Collection<NodeKey> waiting,
      boolean bindingsLost,
      Optional<String> leader,
      Instant now) {
    List<Cause> causes = new ArrayList<>();
    if (!waiting.isEmpty()) {
      causes.add(new PreemptionsWaiting(List.copyOf(waiting)));
    }
    if (!knowledge.lost().isEmpty()) {
      causes.add(WatchLost.of(knowledge.lost()));
    }
    if (knowledge.listingFailure().isPresent()) {
      ArmFailure failure = knowledge.listingFailure().get();
      causes.add(general(failure, MissingRight.LIST, "").orElseGet(() -> listingFailing(failure)));
    } else {
      unread(knowledge, causes);
    }
    unreadable(knowledge).ifPresent(causes::add);
    withoutPool(knowledge.withoutPool(now), causes);
    if (starts(knowledge)) {
      causes.add(new Starting());
    } else if (bindingsLost) {
      causes.add(new WatchLost(Set.of(BINDINGS)));
    }
    if (!knowledge.leads()) {
      causes.add(leader.isPresent() ? new NotLeading() : new NoLeader());
    }
    return causes;
  }

  /** Whether it is not complete yet, and no failure is known to be the reason. */
  private static boolean starts(Knowledge knowledge) {
    boolean complete =
        knowledge.listed()
            && !knowledge.starts()
            && knowledge.synced().size() == CacheKind.values().length;
    return !complete && knowledge.lost().isEmpty() && knowledge.listingFailure().isEmpty();
  }

  /**
   * The groups that cannot be listed though others can, those with equal failures together. A right
   * that is missing is named where Azure says at what.
   */
  private static void unread(Knowledge knowledge, List<Cause> causes) {
    Map<ListingFailing, List<String>> groups = new LinkedHashMap<>();
    for (Map.Entry<String, ArmFailure> unread : knowledge.unread().entrySet()) {
      ArmFailure failure = unread.getValue();
      MissingRight right = MissingRight.of(failure, MissingRight.LIST, "");
      if (failure.error().ender() == Ender.GRANT && !right.scope().isEmpty()) {
        causes.add(new Refused(right));
      } else {
        ListingFailing cause = listingFailing(failure);
        groups.computeIfAbsent(cause, key -> new ArrayList<>()).add(unread.getKey());
      }
    }
    groups.forEach(
        (cause, unread) -> causes.add(new ListingFailing(unread, cause.status(), cause.code())));
  }

  private static ListingFailing listingFailing(ArmFailure failure) {
    return new ListingFailing(List.of(), failure.status(), failure.code());
  }

  /** Those whose pool is known to be elsewhere are one cause, and the others another. */
  private static void withoutPool(Map<ServiceKey, MissingPool> missing, List<Cause> causes) {
    List<ServiceKey> unknown = new ArrayList<>();
    List<ServiceKey> elsewhere = new ArrayList<>();
    missing.forEach((service, pool) -> (pool.at().isPresent() ? elsewhere : unknown).add(service));
    if (!unknown.isEmpty()) {
      causes.add(new Cause.WithoutPool(unknown, List.of()));
    }
    if (!elsewhere.isEmpty()) {
      Stream<LoadBalancerId> at = missing.values().stream().flatMap(pool -> pool.at().stream());
      causes.add(new Cause.WithoutPool(elsewhere, at.distinct().sorted().toList()));
    }
  }

  /** Those that are used come first. */
  private static Optional<Cause> unreadable(Knowledge knowledge) {
    List<LoadBalancerId> all =
        knowledge.unreadable().entrySet().stream()
            .sorted(
                Comparator.comparing(
                        (Map.Entry<LoadBalancerId, UnknownPools> entry) -> !entry.getValue().used())
                    .thenComparing(Map.Entry::getKey))
            .map(Map.Entry::getKey)
            .toList();
    return all.stream()
        .findFirst()
        .map(knowledge.unreadable()::get)
        .map(first -> new Cause.Unreadable(all, first.why().toString(), first.used()));
  }
}
