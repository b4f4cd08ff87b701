package io.poolkeeper.lab.armsim.model;

import io.poolkeeper.lab.armsim.protocol.GroupId;
import io.poolkeeper.lab.armsim.protocol.ResourceId;
import io.poolkeeper.lab.armsim.resource.Resources;
import io.poolkeeper.model.LoadBalancerId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The stored documents and operations, and how a write changes them. A write is applied when it is
 * accepted, and its operation runs until {@link #complete}. There is at most one running operation
 * per load balancer: a later write supersedes it, and what the later one wrote stays. The etag
 * changes at accept and at completion.
 */
final class Documents {
  private final Supplier<String> guids;
  private final Map<GroupId, ResourceGroup> groups = new HashMap<>();
  private final Map<LoadBalancerId, LoadBalancer> balancers = new LinkedHashMap<>();
  private final Resources resources;
  private final Set<GroupId> deleting = new HashSet<>();
  private Operations operations = new Operations();

  Documents(Supplier<String> guids) {
    this.guids = guids;
    this.resources = new Resources(guids, new BalancerNeighbours(this));
  }

  /** Everything that is no load balancer. */
  Resources resources() {
    return resources;
  }

  String guid() {
    return guids.get();
  }

  /** Lets an operation run on something that is no load balancer. */
  void start(String id, String name, String path) {
    operations.put(Operation.started(id, name, new Operation.Subject.Other(path)));
  }

  /**
   * A write that was applied.
   *
   * @param after the document with the write in it
   * @param running whether the operation has to be completed
   * @param superseded whether it cancelled another operation
   */
  record Change(LoadBalancer after, String operation, boolean running, boolean superseded) {}

  Optional<ResourceGroup> group(GroupId id) {
    return Optional.ofNullable(groups.get(id));
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

  /** Removes what is in a group at once, and the group itself when the operation ends. */
  void delete(ResourceGroup group, String operation) {
    balancers(group.id()).forEach(balancer -> balancers.remove(balancer.id()));
    resources.removeAll(group.id());
    deleting.add(group.id());
    start(operation, Operation.DELETE_GROUP, group.id().path());
  }

  Optional<LoadBalancer> balancer(LoadBalancerId id) {
    return Optional.ofNullable(balancers.get(id));
  }

  List<LoadBalancer> balancers(GroupId group) {
    return balancers.values().stream()
        .filter(balancer -> GroupId.of(balancer.id()).equals(group))
        .toList();
  }

  Map<LoadBalancerId, LoadBalancer> balancers() {
    return Map.copyOf(balancers);
  }

  Optional<Operation> operation(String id) {
    return operations.find(id);
  }

  List<String> running() {
    return operations.running();
  }

  /** Adds a load balancer. As recorded, it is Succeeded at once, yet has an operation. */
  Change create(LoadBalancerId id, LoadBalancerContent content) {
    var created =
        new LoadBalancer(
            id, guids.get(), LoadBalancer.etagOf(guids.get()), Optional.empty(), content);
    balancers.put(id, created);
    return succeeded(created, Operation.PUT_LOAD_BALANCER);
  }

  /**
   * Writes a load balancer or a pool. What changes nothing, while nothing runs, leaves no trace.
   */
  Change put(LoadBalancer before, LoadBalancerContent next, String name) {
    return before.running().isEmpty() && before.content().equals(next)
        ? succeeded(before, name)
        : change(before, next, name);
  }

  /** Writes even what changes nothing, superseding what runs. */
  Change change(LoadBalancer before, LoadBalancerContent next, String name) {
    Operation operation = Operation.started(guids.get(), name, before.id());
    before
        .running()
        .flatMap(operations::find)
        .ifPresent(running -> operations.put(running.superseded(operation)));
    operations.put(operation);
    LoadBalancer after = before.accepted(next, operation.id(), LoadBalancer.etagOf(guids.get()));
    balancers.put(after.id(), after);
    return new Change(after, operation.id(), true, before.running().isPresent());
  }

  Change delete(LoadBalancer before) {
    Change change = change(before, before.content(), Operation.DELETE_LOAD_BALANCER);
    balancers.remove(before.id());
    return change;
  }

  private Change succeeded(LoadBalancer balancer, String name) {
    Operation operation = Operation.started(guids.get(), name, balancer.id()).succeeded();
    operations.put(operation);
    return new Change(balancer, operation.id(), false, false);
  }

  boolean complete(String id) {
    Optional<Operation> running = operations.find(id).filter(Operation::running);
    running.ifPresent(
        operation -> {
          operations.put(operation.succeeded());
          switch (operation.subject()) {
            case Operation.Subject.Balancer balancer -> settle(balancer.id(), id);
            case Operation.Subject.Other other -> settle(operation, other.path());
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

  private void settle(LoadBalancerId id, String operation) {
    balancers.computeIfPresent(
        id,
        (key, balancer) ->
            balancer.running().equals(Optional.of(operation))
                ? balancer.completed(LoadBalancer.etagOf(guids.get()))
                : balancer);
  }

  ArmState snapshot() {
    return new ArmState(
        List.copyOf(groups.values()),
        List.copyOf(balancers.values()),
        resources.all(),
        operations.all());
  }

  void restore(ArmState state) {
    groups.clear();
    balancers.clear();
    operations = new Operations();
    state.groups().forEach(this::put);
    state.loadBalancers().forEach(balancer -> balancers.put(balancer.id(), balancer));
    resources.restore(state.resources());
    state.operations().forEach(operations::put);
    deleting.clear();
    state.operations().stream()
        .filter(Operation::running)
        .filter(operation -> operation.name().equals(Operation.DELETE_GROUP))
        .map(Operation::subject)
        .forEach(
            subject ->
                groups.keySet().stream()
                    .filter(group -> subject.equals(new Operation.Subject.Other(group.path())))
                    .forEach(deleting::add));
  }
}
