package io.poolkeeper.armsim.model;

import io.poolkeeper.armsim.model.Operation.Outcome;
import io.poolkeeper.armsim.model.Operation.Subject;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.armsim.protocol.ArmError;
import io.poolkeeper.armsim.protocol.GroupId;
import io.poolkeeper.armsim.protocol.Precondition;
import io.poolkeeper.armsim.protocol.Refused;
import io.poolkeeper.armsim.protocol.ResourceId;
import io.poolkeeper.armsim.resource.Resource;
import io.poolkeeper.armsim.resource.Resources;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The stored documents and operations, and how a write changes them. A write is applied when it is
 * accepted, and its operation runs until {@link #end}. There is at most one running operation per
 * load balancer: a later write supersedes it or is refused, as the {@link Terms} say. The etag
 * changes at accept and at completion.
 *
 * <p>After a failure a document keeps what was written and is {@code Failed} until the next write
 * succeeds, even one that changes nothing. That is likely at Azure but was not recorded.
 */
final class Documents {
  private final Supplier<String> guids;
  private final Map<GroupId, ResourceGroup> groups = new HashMap<>();
  private final Resources resources;
  private final Set<GroupId> deleting = new HashSet<>();
  private OrderedMap<LoadBalancerId, LoadBalancer> balancers = OrderedMap.empty();
  private Operations operations = new Operations();
  private Terms terms = Terms.PLAIN;

  Documents(Supplier<String> guids) {
    this.guids = guids;
    this.resources = new Resources(guids, new DocumentBalancerLinks(this));
  }

  /** All resources except load balancers. */
  Resources resources() {
    return resources;
  }

  String guid() {
    return guids.get();
  }

  private String etag() {
    return Resource.etagOf(guids.get());
  }

  /**
   * Whether a virtual network or subnet may be referenced. In a group without any network every
   * name is accepted.
   */
  private boolean knowsNetwork(String id) {
    return ResourceId.parse(id)
        .map(network -> !resources.holdsAnyLike(network) || resources.contains(network))
        .orElse(true);
  }

  /** The context of a client's document; {@code before} is what it replaces. */
  Reading reading(LoadBalancerId id, Optional<LoadBalancer> before) {
    return Reading.written(id, before, this::knowsNetwork);
  }

  static void checkEtag(ArmCall call, Optional<LoadBalancer> stored) {
    String path = stored.map(balancer -> balancer.id().path()).orElse("");
    Precondition.check(call.ifMatch(), stored.map(LoadBalancer::etag), path);
  }

  /** Starts an operation on a resource other than a load balancer. */
  void start(String id, String name, String path) {
    operations.put(Operation.started(id, name, new Subject.Other(path)));
  }

  void under(Terms now) {
    terms = now;
  }

  /**
   * A write that was accepted.
   *
   * @param after the document with the write in it, as the answer shows it
   * @param running whether the operation has to be completed
   * @param superseded whether it cancelled another operation
   */
  record Change(LoadBalancer after, String operation, boolean running, boolean superseded) {
    Replies.Followed followed() {
      return new Replies.Followed(after.id().subscription(), after.content().location(), operation);
    }
  }

  Optional<ResourceGroup> group(GroupId id) {
    return Optional.ofNullable(groups.get(id));
  }

  /** A group; refused if there is none. */
  ResourceGroup existing(GroupId id) {
    return group(id).orElseThrow(() -> ArmError.GROUP_NOT_FOUND.refused(id.name()));
  }

  void put(ResourceGroup group) {
    groups.put(group.id(), group);
  }

  List<ResourceGroup> groups() {
    return List.copyOf(groups.values());
  }

  boolean deleting(GroupId group) {
    return deleting.contains(group);
  }

  /** Removes the content of a group at once, and the group itself when the operation ends. */
  void delete(ResourceGroup group, String operation) {
    balancers(group.id()).forEach(balancer -> balancers = balancers.without(balancer.id()));
    resources.removeAll(group.id());
    deleting.add(group.id());
    start(operation, Operation.DELETE_GROUP, group.id().path());
  }

  Optional<LoadBalancer> balancer(LoadBalancerId id) {
    return balancers.find(id);
  }

  List<LoadBalancer> ofSubscription(String subscription) {
    return balancers().values().stream()
        .filter(balancer -> balancer.id().subscription().equalsIgnoreCase(subscription))
        .toList();
  }

  List<LoadBalancer> balancers(GroupId group) {
    return balancers().values().stream()
        .filter(balancer -> GroupId.of(balancer.id()).equals(group))
        .toList();
  }

  /** An immutable snapshot. */
  Map<LoadBalancerId, LoadBalancer> balancers() {
    return balancers.asMap();
  }

  Optional<Operation> operation(String id) {
    return operations.find(id);
  }

  List<String> running() {
    return operations.running();
  }

  private void keep(LoadBalancer balancer) {
    balancers = balancers.with(balancer.id(), balancer);
  }

  /** Adds a load balancer. As recorded, it is Succeeded at once but has an operation. */
  Change create(ArmCall call, LoadBalancerId id, LoadBalancerContent content) {
    var created =
        new LoadBalancer(
            id, guids.get(), etag(), Optional.empty(), Optional.empty(), false, content);
    return switch (terms.fate()) {
      case APPLIED -> {
        keep(created);
        yield succeeded(created, Operation.PUT_LOAD_BALANCER);
      }
      case FOLLOWED, DOOMED -> start(call, created, content, content, Operation.PUT_LOAD_BALANCER);
      case LOST -> succeeded(created, Operation.PUT_LOAD_BALANCER);
    };
  }

  /**
   * Writes a load balancer or a pool. A write that changes nothing, while no operation runs, has no
   * effect.
   */
  Change put(ArmCall call, LoadBalancer before, LoadBalancerContent next, String name) {
    if (before.running().isEmpty() && !before.failed() && before.content().equals(next)) {
      return succeeded(before, name);
    }
    LoadBalancerContent kept = terms.fate() == Fate.LOST ? before.content() : next;
    return start(call, before, next, kept, name);
  }

  Change remove(ArmCall call, LoadBalancer before, LoadBalancerContent next, String name) {
    return start(call, before, next, terms.fate().deletes() ? next : before.content(), name);
  }

  Change delete(ArmCall call, LoadBalancer before) {
    LoadBalancerContent content = before.content();
    Change change = start(call, before, content, content, Operation.DELETE_LOAD_BALANCER);
    if (terms.fate().deletes()) {
      balancers = balancers.without(before.id());
    }
    return change;
  }

  /** Writes without an operation: the etag changes once, and state and running operation stay. */
  LoadBalancer touch(LoadBalancer before, LoadBalancerContent next) {
    LoadBalancer after = before.touched(next, etag());
    keep(after);
    return after;
  }

  /**
   * Adds a NIC's ip configuration to a pool, unless it is in it. The load balancer's etag changes,
   * and no operation runs.
   *
   * @throws Refused if there is no such pool or it holds addresses
   * @throws IllegalArgumentException if the id is none of an ip configuration
   */
  void joinNic(PoolId id, String nicIpConfigurationId) {
    Pool pool = openToNics(id, nicIpConfigurationId);
    LoadBalancer balancer = balancer(id.loadBalancer()).orElseThrow();
    if (!pool.holds(nicIpConfigurationId)) {
      Pool joined = pool.joined(NicMembers.of(nicIpConfigurationId));
      touch(balancer, balancer.content().with(joined));
    }
  }

  /** The pool, if there is one and it holds no addresses. */
  Pool openToNics(PoolId id, String nicIpConfigurationId) {
    Pool pool =
        balancer(id.loadBalancer())
            .flatMap(there -> there.pool(id.name()))
            .orElseThrow(() -> ArmError.NO_SUCH_REFERENCE.refused(id.path(), nicIpConfigurationId));
    if (pool.ipBased()) {
      throw ArmError.MIXED_MEMBERS.refused(id.path());
    }
    return pool;
  }

  /** Removes a NIC's ip configuration from a pool, if both exist. */
  void leaveNic(PoolId id, String nicIpConfigurationId) {
    balancer(id.loadBalancer())
        .ifPresent(
            balancer ->
                balancer
                    .pool(id.name())
                    .filter(pool -> pool.holds(nicIpConfigurationId))
                    .map(pool -> balancer.content().with(pool.left(nicIpConfigurationId)))
                    .ifPresent(next -> touch(balancer, next)));
  }

  /** Supersedes a running operation or is refused because of it. */
  private Change start(
      ArmCall call,
      LoadBalancer before,
      LoadBalancerContent shown,
      LoadBalancerContent kept,
      String name) {
    Optional<Operation> older = before.running().flatMap(operations::find);
    older
        .flatMap(running -> terms.contention().refusal(call, before, running, terms.retrySeconds()))
        .ifPresent(
            refusal -> {
              throw new Refused(refusal);
            });
    Operation operation = Operation.started(guids.get(), name, new Subject.Balancer(before.id()));
    older.ifPresent(
        running -> operations.put(running.ended(new Outcome.Superseded(operation.reference()))));
    operations.put(operation);
    Optional<String> alone = terms.updatingShown().alone(call.path());
    LoadBalancer after = before.accepted(kept, operation.id(), alone, etag());
    keep(after);
    return new Change(after.showing(shown), operation.id(), true, before.running().isPresent());
  }

  private Change succeeded(LoadBalancer balancer, String name) {
    String id = guids.get();
    operations.put(
        new Operation(id, name, new Subject.Balancer(balancer.id()), new Outcome.Succeeded()));
    return new Change(balancer, id, false, false);
  }

  /** Ends an operation; returns whether it was still running. */
  boolean end(String id, Outcome how) {
    Optional<Operation> running = operations.find(id).filter(Operation::running);
    running.ifPresent(
        operation -> {
          Operation ended = operation.ended(how);
          operations.put(ended);
          switch (ended.subject()) {
            case Subject.Balancer balancer -> settle(balancer.id(), ended);
            case Subject.Other other -> settle(ended, other.path());
          }
        });
    return running.isPresent();
  }

  private void settle(Operation operation, String path) {
    if (operation.name().equals(Operation.DELETE_GROUP)) {
      deleting.removeIf(group -> group.path().equalsIgnoreCase(path));
      groups.keySet().removeIf(group -> group.path().equalsIgnoreCase(path));
    } else {
      ResourceId.parse(path).ifPresent(id -> resources.complete(id, operation.id()));
    }
  }

  private void settle(LoadBalancerId id, Operation ended) {
    boolean badly = !(ended.outcome() instanceof Outcome.Succeeded);
    balancer(id)
        .filter(balancer -> balancer.running().equals(Optional.of(ended.id())))
        .ifPresent(balancer -> keep(balancer.completed(etag(), badly)));
  }

  ArmState snapshot() {
    return new ArmState(
        List.copyOf(groups.values()),
        List.copyOf(balancers().values()),
        resources.all(),
        operations.all());
  }

  void restore(ArmState state) {
    groups.clear();
    balancers = OrderedMap.empty();
    operations = new Operations();
    state.groups().forEach(this::put);
    state.loadBalancers().forEach(this::keep);
    resources.restore(state.resources());
    state.operations().forEach(operations::put);
    deleting.clear();
    for (Operation operation : state.operations()) {
      if (operation.running() && operation.name().equals(Operation.DELETE_GROUP)) {
        groups.keySet().stream()
            .filter(group -> operation.subject().equals(new Subject.Other(group.path())))
            .forEach(deleting::add);
      }
    }
  }
}
