package io.poolkeeper.service;

import io.poolkeeper.model.Manage;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.model.ServiceView;
import io.poolkeeper.pool.BoundPool;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Which pools are touched, members and admin states alike (docs/topics/scope.md). The owner of a
 * pool follows from its rules, as the last listing showed them, and from its binding.
 *
 * @param optIn whether only pools of Services that are marked {@code "true"} are touched
 */
record Scope(PoolNames names, boolean optIn) {
  static final String NOT_MARKED =
      "poolkeeper.opt-in is true, and this is not the pool of one Service alone that is marked"
          + " with %s: \"true\"".formatted(Manage.KEY);

  /** A Service, its annotation and the label of its Namespace. */
  record Owner(ServiceKey service, Manage annotation, Manage label) {
    /** What annotation and label say; the annotation wins. */
    Optional<Boolean> says() {
      return annotation.says().or(label::says);
    }

    private boolean refuses() {
      return !says().orElse(true);
    }

    private String refusal() {
      String where =
          annotation.says().isPresent()
              ? "annotation %s of the Service %s".formatted(Manage.KEY, service)
              : "label %s of the Namespace %s".formatted(Manage.KEY, service.namespace());
      return "the " + where + " is \"false\"";
    }
  }

  /**
   * What a pool has to do with Services.
   *
   * @param shared whether the pool is one of the cluster's own
   * @param owners the Services whose rules send to it
   * @param others whether a rule is of no known Service, or the pool has no rule
   * @param bound the Service of its binding
   */
  record Ties(boolean shared, List<Owner> owners, boolean others, Optional<Owner> bound) {
    Ties {
      owners = List.copyOf(owners);
    }

    /** The Service, if only one has to do with the pool. */
    private Optional<Owner> only() {
      boolean alone = !shared && !others && owners.size() == 1;
      return bound.or(() -> alone ? Optional.of(owners.getFirst()) : Optional.empty());
    }
  }

  /** Whether a pool of this Service alone is touched. */
  boolean touches(Owner service) {
    return service.says().orElse(!optIn);
  }

  /**
   * Why a pool is not touched; empty if it is. One of several owners does not decide for the
   * others: names of pools collide, so anybody may come to share one.
   */
  Optional<String> out(Ties pool) {
    boolean agreed =
        !pool.shared() && pool.bound().isEmpty() && pool.owners().stream().allMatch(Owner::refuses);
    Stream<Owner> deciding = agreed ? pool.owners().stream() : pool.bound().stream();
    Optional<String> refusal = deciding.filter(Owner::refuses).map(Owner::refusal).findFirst();
    boolean marked = !optIn || pool.only().filter(this::touches).isPresent();
    return refusal.isPresent() || marked ? refusal : Optional.of(NOT_MARKED);
  }

  /** The pools that may be out of scope, or were: none in most clusters. */
  Set<PoolId> judged(PoolIndex index, Cluster cluster) {
    boolean mayDiffer =
        optIn || !index.out().isEmpty() || !index.disputed().isEmpty() || cluster.marked();
    return mayDiffer ? index.pools().keySet() : Set.of();
  }

  /** Whether these changes of Services may move pools into scope, or out of it. */
  boolean concerned(Map<ServiceKey, Optional<ServiceView>> changes, Cluster before) {
    boolean anyMarked = optIn || before.marked();
    return changes.entrySet().stream()
        .anyMatch(
            change ->
                !Optional.ofNullable(before.services().get(change.getKey()))
                    .flatMap(view -> said(view, before, anyMarked))
                    .equals(change.getValue().flatMap(view -> said(view, before, anyMarked))));
  }

  /**
   * The parts of a Service that matter here: of one that is not marked, whether it is there, as it
   * may share a pool with one that is.
   */
  private record Said(String uid, Optional<Boolean> says) {}

  private static Optional<Said> said(ServiceView view, Cluster cluster, boolean anyMarked) {
    Optional<Boolean> says = cluster.owner(view.key(), view.manage()).says();
    return says.isPresent() || (anyMarked && view.loadBalancer())
        ? Optional.of(new Said(view.uid(), says))
        : Optional.empty();
  }

  /**
   * Judges these pools of the index anew. A pool whose binding is being deleted stays as it was, as
   * the binding no longer names its Service.
   */
  PoolIndex judge(PoolIndex index, Collection<PoolId> pools, Cluster cluster, Bindings bindings) {
    PoolIndex next = index;
    for (PoolId pool : pools) {
      PoolView view = index.pools().get(pool);
      Optional<BoundPool> bound = bindings.boundPool(pool);
      boolean leaves =
          bound.flatMap(BoundPool::leaving).isPresent() && index.out().containsKey(pool);
      if (view != null && !leaves) {
        next = judge(next, view, cluster, bound.flatMap(BoundPool::service));
      }
    }
    return next;
  }

  private PoolIndex judge(
      PoolIndex index, PoolView pool, Cluster cluster, Optional<ServiceKey> bound) {
    TreeSet<ServiceKey> services = new TreeSet<>();
    boolean others = pool.rules().isEmpty();
    for (String rule : pool.rules()) {
      ServiceKey owner = cluster.byPrefix().get(PoolNames.prefix(rule));
      if (owner == null) {
        others = true;
      } else {
        services.add(owner);
      }
    }
    boolean shared = names.isClusterPool(pool.id().name());
    List<Owner> owners = services.stream().map(cluster::owner).toList();
    Ties ties = new Ties(shared, owners, others, bound.map(cluster::owner));
    bound.ifPresent(services::add);
    List<ServiceKey> tied = List.copyOf(services);
    Optional<OptedOut> out = out(ties).map(why -> new OptedOut(tied, why));
    boolean disputed = out.isEmpty() && !shared && owners.stream().anyMatch(Owner::refuses);
    return index.with(pool.id(), out, disputed ? tied : List.of());
  }
}
