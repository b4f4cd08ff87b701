package io.poolkeeper.uninstall;

import io.poolkeeper.arm.ArmException;
import io.poolkeeper.arm.BackendPools;
import io.poolkeeper.arm.Listing;
import io.poolkeeper.arm.LoadBalancers;
import io.poolkeeper.arm.NetworkInterfaces;
import io.poolkeeper.arm.PoolDocument;
import io.poolkeeper.config.Settings;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.ClusterNodes;
import io.poolkeeper.model.Names;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.Verdict;
import io.poolkeeper.node.Placements;
import io.poolkeeper.retry.Backoff;
import io.poolkeeper.retry.Jitter;
import io.poolkeeper.service.PoolNames;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Takes everything of Poolkeeper's out of Azure and the cluster, one step after the other, in a
 * process that does nothing else. A step that fails is named and the rest goes on, so that the next
 * try has less to do. A binding keeps its finalizer until its pool is clean.
 *
 * @param clock monotonic
 * @param pause returns after that time
 */
public record Uninstall(
    Settings settings,
    LoadBalancers loadBalancers,
    BackendPools pools,
    NetworkInterfaces interfaces,
    InstantSource clock,
    RandomGenerator random,
    Consumer<Duration> pause) {
  /** The most tries of a call; a pool's read and write are one. */
  static final int ATTEMPTS = 8;

  private static final Backoff RETRY =
      new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30), Jitter.EQUAL);

  /** The longest time of a call; a write of a pool may take some minutes. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /**
   * Looks, and changes nothing.
   *
   * @throws ArmException if the configured resource group cannot be listed
   */
  public Plan plan(ClusterTraces cluster) {
    Listing listing =
        retried(
            deadline ->
                loadBalancers.list(groups(cluster), deadline).thenApply(Uninstall::withOwnGroup));
    Map<String, ArmFailure> unread = new HashMap<>();
    Map<String, String> machines = machines(cluster, listing, unread);
    ClusterNodes nodes = Placements.of(cluster.nodes(), Set.of(), machines).nodes();
    return new Plan(
        cluster,
        nodes,
        listing
            .pools()
            .map(view -> traces(cluster, nodes, view))
            .filter(found -> !found.edit().isEmpty())
            .toList(),
        listing,
        unread);
  }

  private static Listing withOwnGroup(Listing listing) {
    if (listing.failure().isPresent()) {
      throw new ArmException(listing.failure().get());
    }
    return listing;
  }

  /** The resource groups besides the configured one; those of other subscriptions are left out. */
  private Set<String> groups(ClusterTraces cluster) {
    Set<String> groups = new TreeSet<>(settings.allowedPools().groups());
    cluster.traces().stream()
        .flatMap(trace -> pool(trace).stream())
        .filter(pool -> pool.loadBalancer().subscription().equalsIgnoreCase(subscription()))
        .forEach(pool -> groups.add(pool.loadBalancer().group()));
    groups.remove(ownGroup());
    return groups;
  }

  private String ownGroup() {
    return Names.fold(settings.azure().loadBalancerResourceGroup());
  }

  private String subscription() {
    return settings.azure().subscriptionId();
  }

  private Optional<PoolId> pool(ObjectTrace trace) {
    return trace
        .pool()
        .map(named -> named.in(subscription(), settings.azure().loadBalancerResourceGroup()));
  }

  /** The machines of interfaces whose ids do not name them, where that matters. */
  private Map<String, String> machines(
      ClusterTraces cluster, Listing listing, Map<String, ArmFailure> unread) {
    Map<String, String> machines = new HashMap<>();
    List<String> needed =
        listing
            .pools()
            .filter(view -> mayHaveAdminStates(cluster, view))
            .flatMap(PoolTraces::interfaces)
            .distinct()
            .toList();
    for (String id : needed) {
      try {
        retried(deadline -> interfaces.machineOf(id, deadline))
            .ifPresent(machine -> machines.put(id, machine));
      } catch (ArmException failed) {
        unread.put(id, failed.failure());
      }
    }
    return machines;
  }

  /**
   * Admin states are written at the load balancers that are named, in the configured group, and in
   * pools of bindings.
   */
  private boolean mayHaveAdminStates(ClusterTraces cluster, PoolView pool) {
    boolean managed =
        pool.id().loadBalancer().group().equals(ownGroup())
            && PoolNames.of(settings.clusterName(), settings.azure().loadBalancers())
                .manages(pool.id().loadBalancer().name());
    return managed
        || !pool.marked(cluster.mark()).isEmpty()
        || cluster.traces().stream()
            .flatMap(trace -> pool(trace).stream())
            .anyMatch(pool.id()::equals);
  }

  private PoolTraces traces(ClusterTraces cluster, ClusterNodes nodes, PoolView view) {
    return PoolTraces.of(view, cluster.mark(), nodes, mayHaveAdminStates(cluster, view));
  }

  /**
   * Carries out the plan: pools first, then objects, but no object whose pool is not clean.
   *
   * @param stop why nothing more may be changed; empty if it may
   * @param done hears each line of the plan
   * @return what has failed
   */
  public List<String> run(Plan plan, Supplier<Optional<String>> stop, Consumer<String> done) {
    List<String> failed = new ArrayList<>();
    Set<PoolId> unclean = new HashSet<>();
    for (PoolTraces pool : plan.pools()) {
      Optional<String> failure =
          step(PoolTraces.name(pool.pool()), stop, () -> clean(plan, pool.pool()));
      if (failure.isPresent()) {
        failed.add(failure.get());
        unclean.add(pool.pool());
      } else {
        pool.lines().forEach(done);
      }
    }
    for (ObjectTrace trace : plan.cluster().traces()) {
      boolean poolUnclean =
          pool(trace).filter(pool -> unclean.contains(pool) || !plan.saw(pool)).isPresent();
      Optional<String> failure =
          poolUnclean
              ? Optional.of(trace.object() + ": its pool is not clean")
              : step(trace.object(), stop, trace.removal());
      failure.ifPresentOrElse(failed::add, () -> done.accept(trace.line()));
    }
    return failed;
  }

  /** Makes a change; the answer is why it was not made, with the name of what it concerns. */
  private static Optional<String> step(
      String name, Supplier<Optional<String>> stop, Runnable change) {
    Optional<String> stopped = stop.get().map(why -> name + ": " + why);
    if (stopped.isEmpty()) {
      try {
        change.run();
      } catch (RuntimeException failure) {
        return Optional.of(name + ": " + failure.getMessage());
      }
    }
    return stopped;
  }

  /** Cleans a pool, which is read again for each try, as it may have changed since the plan. */
  private void clean(Plan plan, PoolId pool) {
    try {
      retried(
          deadline ->
              pools.get(pool, deadline).thenCompose(document -> cleaned(plan, document, deadline)));
    } catch (ArmException failed) {
      boolean gone = failed.failure().verdict() == Verdict.STALE;
      if (!gone) {
        throw failed;
      }
    }
  }

  private CompletionStage<Optional<Void>> cleaned(
      Plan plan, PoolDocument document, Instant deadline) {
    PoolEdit edit = traces(plan.cluster(), plan.nodes(), document.view()).edit();
    return edit.isEmpty()
        ? CompletableFuture.completedFuture(Optional.empty())
        : pools.put(document, edit, deadline).thenApply(Optional::ofNullable);
  }

  /** The command's thread has nothing else to do, and waits. */
  private <T> T retried(Function<Instant, CompletionStage<T>> call) {
    for (int attempt = 1; ; attempt++) {
      try {
        return call.apply(clock.instant().plus(PATIENCE)).toCompletableFuture().join();
      } catch (CompletionException failed) {
        ArmFailure failure = ArmException.failureIn(failed);
        if (failure.verdict() != Verdict.RETRIABLE || attempt == ATTEMPTS) {
          throw new ArmException(failure);
        }
        pause.accept(delay(attempt, failure));
      }
    }
  }

  private Duration delay(int attempt, ArmFailure failure) {
    Duration backoff = RETRY.delay(attempt, random);
    return failure
        .retryAfter()
        .map(until -> Duration.between(clock.instant(), until))
        .filter(asked -> asked.compareTo(backoff) > 0)
        .orElse(backoff);
  }
}
