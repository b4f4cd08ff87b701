package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.model.GroupCalls.ResourceGroup;
import io.poolkeeper.armsim.model.Operation.Outcome;
import io.poolkeeper.armsim.model.Terms.Contention;
import io.poolkeeper.armsim.model.Terms.Fate;
import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.armsim.protocol.ArmError;
import io.poolkeeper.armsim.protocol.ArmJson.Content;
import io.poolkeeper.armsim.protocol.GroupId;
import io.poolkeeper.armsim.protocol.Links;
import io.poolkeeper.armsim.protocol.Refused;
import io.poolkeeper.armsim.protocol.ResourceId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The stored documents and operations, and how a write changes them. A write is applied when it is
 * accepted, and its operation runs until {@link #end}. A later write of the same load balancer
 * supersedes it, is refused or waits for it, as the {@link Terms} say. The etag changes at accept
 * and at completion. The terms of the last call are those of an end. A restored state has no queue.
 *
 * <p>After a failure a document keeps what was written and is {@code Failed} until the next write
 * succeeds, even one that changes nothing. That is likely at Azure but was not recorded.
 */
final class Documents {
  private final Supplier<String> guids;
  private final Map<GroupId, ResourceGroup> groups = new HashMap<>();
  private final Resources resources;
  private final Set<GroupId> deleting = new HashSet<>();
  private Operations operations = new Operations();

  /** What each queued operation waits for; both by their ids. */
  private final Map<String, String> queue = new HashMap<>();

  private Terms terms = Terms.PLAIN;

  Documents(Supplier<String> guids) {
    this.guids = guids;
    this.resources = new Resources(guids);
  }

  Resources resources() {
    return resources;
  }

  void under(Terms now) {
    terms = now;
  }

  Set<Deviation> deviations() {
    return terms.deviations();
  }

  boolean deviates(Deviation how) {
    return terms.deviates(how);
  }

  /**
   * A write that was accepted.
   *
   * @param after the document with the write in it, as the answer shows it
   * @param running whether the operation has to be completed
   * @param superseded whether it cancelled another operation
   */
  record Change(Resource after, String operation, boolean running, boolean superseded) {}

  Optional<ResourceGroup> group(GroupId id) {
    return Optional.ofNullable(groups.get(id));
  }

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
    resources.removeAll(group.id());
    deleting.add(group.id());
    operations.put(
        new Operation(operation, Operation.DELETE_GROUP, group.id().path(), new Outcome.Running()));
  }

  Optional<Operation> operation(String id) {
    return operations.find(id);
  }

  List<String> running() {
    return operations.running();
  }

  /** Adds a load balancer. As recorded, it is Succeeded at once but has an operation. */
  Change create(ArmCall call, ResourceId id, ObjectNode document) {
    Resource created = resources.made(id, document);
    return switch (terms.fate()) {
      case APPLIED -> {
        resources.store(created);
        yield succeeded(created, Operation.PUT_LOAD_BALANCER);
      }
      case FOLLOWED, DOOMED ->
          start(call, created, document, document, Operation.PUT_LOAD_BALANCER);
      case LOST -> succeeded(created, Operation.PUT_LOAD_BALANCER);
    };
  }

  /**
   * Writes a load balancer or a part of it. A write that changes nothing, while no operation runs,
   * has no effect.
   */
  Change put(ArmCall call, Resource before, ObjectNode next, String name) {
    if (before.running().isEmpty() && !before.failed() && before.document().equals(next)) {
      return succeeded(before, name);
    }
    ObjectNode kept = terms.fate() == Fate.LOST ? before.document() : next;
    return start(call, before, next, kept, name);
  }

  Change remove(ArmCall call, Resource before, ObjectNode next, String name) {
    return start(call, before, next, terms.fate().deletes() ? next : before.document(), name);
  }

  Change delete(ArmCall call, Resource before) {
    ObjectNode document = before.document();
    Change change = start(call, before, document, document, Operation.DELETE_LOAD_BALANCER);
    if (terms.fate().deletes()) {
      resources.remove(before);
    }
    return change;
  }

  /** Supersedes a running operation or is refused because of it. */
  private Change start(
      ArmCall call, Resource before, ObjectNode shown, ObjectNode kept, String name) {
    Optional<Operation> older = before.running().flatMap(operations::find);
    Optional<ArmAnswer> refusal =
        older.flatMap(
            running -> terms.contention().refusal(call, before, running, terms.retrySeconds()));
    if (refusal.isPresent()) {
      throw new Refused(refusal.get());
    }
    String path = before.id().path();
    Operation operation = new Operation(guids.get(), name, path, new Outcome.Running());
    boolean queued = terms.contention() == Contention.QUEUE;
    older.ifPresent(
        running -> {
          if (queued) {
            queue.put(operation.id(), running.id());
          } else {
            operations.put(running.ended(new Outcome.Superseded(operation.reference())));
          }
        });
    operations.put(operation);
    Optional<String> alone = terms.updatingShown().alone(call.path());
    Resource after = before.accepted(kept, resources.etag(), operation.id(), alone);
    resources.store(after);
    Resource answered = after.with(shown, after.etag(), after.running());
    return new Change(answered, operation.id(), true, before.running().isPresent() && !queued);
  }

  private Change succeeded(Resource resource, String name) {
    return follow(guids.get(), name, resource, false);
  }

  /** A write with an operation that nothing contends with, or that has ended already. */
  Change follow(String id, String name, Resource after, boolean running) {
    Outcome outcome = running ? new Outcome.Running() : new Outcome.Succeeded();
    operations.put(new Operation(id, name, after.id().path(), outcome));
    return new Change(after, id, running, false);
  }

  Optional<String> next(String id) {
    return queue.keySet().stream().filter(later -> id.equals(queue.get(later))).findFirst();
  }

  private boolean waits(Operation operation) {
    return Optional.ofNullable(queue.get(operation.id()))
        .flatMap(operations::find)
        .filter(Operation::running)
        .isPresent();
  }

  boolean end(String id, Outcome how) {
    Optional<Operation> running =
        operations.find(id).filter(found -> found.running() && !waits(found));
    running.ifPresent(
        operation -> {
          operations.put(operation.ended(how));
          queue.remove(id);
          if (operation.name().equals(Operation.DELETE_GROUP)) {
            deleting.removeIf(group -> group.path().equalsIgnoreCase(operation.path()));
            groups.keySet().removeIf(group -> group.path().equalsIgnoreCase(operation.path()));
          } else {
            boolean badly = !(how instanceof Outcome.Succeeded);
            ResourceId.parse(operation.path())
                .ifPresent(
                    resource ->
                        resources.complete(resource, id, badly, !deviates(Deviation.ETAG_ONCE)));
          }
        });
    return running.isPresent();
  }

  ArmState snapshot() {
    return new ArmState(
        List.copyOf(groups.values()), List.copyOf(resources.all()), operations.all());
  }

  void restore(ArmState state) {
    groups.clear();
    operations = new Operations();
    queue.clear();
    terms = Terms.PLAIN;
    state.groups().forEach(this::put);
    resources.restore(state.resources());
    state.operations().forEach(operations::put);
    deleting.clear();
    for (Operation operation : state.operations()) {
      if (operation.running() && operation.name().equals(Operation.DELETE_GROUP)) {
        groups.keySet().stream()
            .filter(group -> group.path().equals(operation.path()))
            .forEach(deleting::add);
      }
    }
  }

  /** The newest operations, at most {@value #LIMIT} beside those still running. */
  static final class Operations {
    private static final int LIMIT = 20_000;

    private final Map<String, Operation> byId = new LinkedHashMap<>();

    Optional<Operation> find(String id) {
      return Optional.ofNullable(byId.get(id));
    }

    void put(Operation operation) {
      byId.put(operation.id(), operation);
      Iterator<Operation> eldest = byId.values().iterator();
      for (int over = byId.size() - LIMIT; over > 0 && eldest.hasNext(); ) {
        if (!eldest.next().running()) {
          eldest.remove();
          over--;
        }
      }
    }

    List<Operation> all() {
      return List.copyOf(byId.values());
    }

    List<String> running() {
      return byId.values().stream().filter(Operation::running).map(Operation::id).toList();
    }
  }

  /**
   * The answers to accepted writes, with the links under which their operations are followed.
   *
   * @param retryAfter the seconds to wait
   */
  record Replies(String retryAfter) {
    private static final String STATUS = "Azure-AsyncOperation";

    Handled written(ArmCall call, Change change, boolean created, Content content) {
      ArmAnswer answer = following(ArmAnswer.of(created ? 201 : 200, content), call, change);
      return change.running()
          ? Handled.started(answer, change.operation(), change.superseded())
          : Handled.noop(answer);
    }

    Handled deleted(ArmCall call, Change change) {
      String location = link(call, change.after(), "operationResults", change.operation());
      ArmAnswer accepted = ArmAnswer.empty(202).with("Location", location);
      return Handled.started(
          following(accepted, call, change), change.operation(), change.superseded());
    }

    /** The answer to an accepted PUT that names the result of its operation, not its status. */
    ArmAnswer byLocation(ArmAnswer answer, ArmCall call, Change change) {
      return answer
          .without(STATUS)
          .with("Location", link(call, change.after(), "operationResults", change.operation()));
    }

    private ArmAnswer following(ArmAnswer answer, ArmCall call, Change change) {
      return answer
          .with(STATUS, link(call, change.after(), "operations", change.operation()))
          .with("Azure-AsyncNotification", "Enabled")
          .with("Retry-After", retryAfter)
          .with("x-ms-request-id", change.operation());
    }

    private static String link(ArmCall call, Resource about, String collection, String operation) {
      return Links.operation(
          call, about.id().subscription(), about.location(), collection, operation);
    }
  }
}
