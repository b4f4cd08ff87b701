package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.model.Documents.Replies;
import io.poolkeeper.armsim.model.GroupCalls.ResourceGroup;
import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.armsim.protocol.ArmCall.Method;
import io.poolkeeper.armsim.protocol.ArmError;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.armsim.protocol.ArmPath;
import io.poolkeeper.armsim.protocol.GroupId;
import io.poolkeeper.armsim.protocol.Page;
import io.poolkeeper.armsim.protocol.Refused;
import io.poolkeeper.armsim.protocol.ResourceId;
import io.poolkeeper.model.Names;
import io.poolkeeper.model.PoolId;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Resource Manager as a state machine: handles calls, and ends operations as separate events.
 * Confined to one thread; its results are immutable.
 */
public final class ArmModel {
  /** The subscription in lists without any group. */
  private static final String ANY_SUBSCRIPTION = "00000000-0000-0000-0000-000000000000";

  /** Deployments and what they consist of: stacks and scripts. */
  private static final String TEMPLATES = "microsoft.resources/deployment";

  private final Documents documents;
  private final int pageSize;
  private final String retryAfter;
  private final GroupCalls groups;
  private final ResourceCalls resources;

  /** An empty model; {@code pageSize} is that of a list, {@code retryAfter} is in seconds. */
  public ArmModel(Supplier<String> guids, int pageSize, int retryAfter) {
    this.documents = new Documents(guids);
    this.pageSize = pageSize;
    this.retryAfter = Integer.toString(retryAfter);
    this.groups = new GroupCalls(documents, retryAfter);
    this.resources = new ResourceCalls(documents, new Replies(this.retryAfter));
  }

  public Handled handle(ArmCall call) {
    return handle(call, Terms.PLAIN);
  }

  public Handled handle(ArmCall call, Terms terms) {
    documents.under(terms);
    Optional<ArmAnswer> refusal = call.versionRefusal();
    if (refusal.isPresent()) {
      return Handled.unchanged(refusal.get());
    }
    if (call.method() == Method.HEAD) {
      return head(handle(call.as(Method.GET), terms));
    }
    try {
      refuseWhereDeleting(call);
      refuseTemplates(call);
      return dispatch(call, terms);
    } catch (Refused refused) {
      return Handled.unchanged(refused.answer());
    }
  }

  private Handled dispatch(ArmCall call, Terms terms) {
    return switch (call.path()) {
      case ArmPath.Tenants tenants -> list(call, List.of(Regions.tenant()));
      case ArmPath.Subscriptions all -> list(call, subscriptions());
      case ArmPath.Subscription one -> document(call, Regions.subscription(one.id()));
      case ArmPath.All all -> all(call, all.subscription(), all.kind());
      case ArmPath.Group path -> groups.handle(call, path.id());
      case ArmPath.GroupResources in -> page(call, groups.resources(call, in.id()));
      case ArmPath.Provider one ->
          document(call, Providers.document(one.subscription(), one.namespace()));
      case ArmPath.Registration one ->
          reached(call, Method.POST, Providers.document(one.subscription(), one.namespace()));
      case ArmPath.Listing listing ->
          resources
              .instanceView(listing.list())
              .map(view -> document(call, view))
              .orElseGet(() -> page(call, resources.list(listing.list())));
      case ArmPath.One one -> resources.handle(call, one.id(), terms);
      case ArmPath.Action path -> action(call, path);
      case ArmPath.OperationStatus path -> status(call, path.id());
      case ArmPath.OperationResult path -> result(call, path.id());
      case ArmPath.Unknown path -> Handled.unchanged(ArmAnswer.unknownType(call));
    };
  }

  private Handled all(ArmCall call, String subscription, String kind) {
    return switch (kind) {
      case "locations" -> list(call, Regions.locations(subscription));
      case "resourcegroups" -> page(call, groups.list(subscription));
      case "providers" -> list(call, Providers.documents(subscription));
      default -> page(call, groups.resources(call, subscription));
    };
  }

  /** Ends an operation successfully; returns whether it was running and not queued. */
  public boolean complete(String operation) {
    return end(operation, new Operation.Outcome.Succeeded());
  }

  public boolean end(String operation, Operation.Outcome how) {
    return documents.end(operation, how);
  }

  /** The operation that was queued behind another one. */
  public Optional<String> next(String operation) {
    return documents.next(operation);
  }

  public Optional<Operation> operation(String id) {
    return documents.operation(id);
  }

  public Optional<String> etag(ArmPath path) {
    return balancer(path).map(Resource::etag);
  }

  /** The region of the resource in a path, as it was written; empty if it is unknown. */
  public String region(ArmPath path) {
    return balancer(path)
        .map(Resource::location)
        .or(() -> path.resourceGroup().flatMap(documents::group).map(ResourceGroup::location))
        .orElse("");
  }

  private Optional<Resource> balancer(ArmPath path) {
    return path.loadBalancer().map(ResourceId::of).flatMap(documents.resources()::find);
  }

  public List<String> running() {
    return documents.running();
  }

  public ResourceMap resources() {
    return documents.resources().map();
  }

  void joinNic(PoolId pool, String nicIpConfigurationId) {
    NicMembers.join(ResourceId.of(pool), nicIpConfigurationId, documents.resources());
  }

  void leaveNic(PoolId pool, String nicIpConfigurationId) {
    NicMembers.leave(ResourceId.of(pool), nicIpConfigurationId, documents.resources());
  }

  public ArmState snapshot() {
    return documents.snapshot();
  }

  public void restore(ArmState state) {
    documents.restore(state);
  }

  private void refuseWhereDeleting(ArmCall call) {
    Optional<GroupId> group = call.path().resourceGroup().filter(documents::deleting);
    if (group.isPresent() && EnumSet.of(Method.PUT, Method.PATCH).contains(call.method())) {
      throw ArmError.GROUP_BEING_DELETED.refused(group.get().name());
    }
  }

  /** A template is not executed, so a success would be a lie. */
  private static void refuseTemplates(ArmCall call) {
    if (EnumSet.of(Method.PUT, Method.PATCH, Method.POST).contains(call.method())
        && call.path().resource().stream()
            .anyMatch(id -> Names.fold(id.type()).startsWith(TEMPLATES))) {
      throw ArmError.NO_TEMPLATES.refused();
    }
  }

  /** The answer to a HEAD, from that to a GET. */
  private static Handled head(Handled read) {
    ArmAnswer answer = read.answer();
    int status = answer.status() == 200 ? 204 : answer.status();
    return Handled.unchanged(
        new ArmAnswer(status, answer.code(), Optional.empty(), answer.headers()));
  }

  private List<ObjectNode> subscriptions() {
    List<String> known =
        documents.groups().stream().map(group -> group.id().subscription()).distinct().toList();
    return (known.isEmpty() ? Stream.of(ANY_SUBSCRIPTION) : known.stream())
        .map(Regions::subscription)
        .toList();
  }

  private static Handled document(ArmCall call, ObjectNode document) {
    return reached(call, Method.GET, document);
  }

  /** The answer to a call by the only method that is allowed. */
  private static Handled reached(ArmCall call, Method by, ObjectNode document) {
    return call.method() == by
        ? Handled.unchanged(ArmAnswer.of(200, document))
        : Handled.notAllowed(call);
  }

  private static Handled list(ArmCall call, List<ObjectNode> documents) {
    ObjectNode list = ArmJson.MAPPER.createObjectNode();
    list.putArray("value").addAll(documents);
    return document(call, list);
  }

  private Handled page(ArmCall call, List<Page.Item> items) {
    return Handled.read(call, Page.of(call, pageSize, items));
  }

  private static Handled action(ArmCall call, ArmPath.Action path) {
    return call.method() == Method.POST
        ? Handled.unchanged(ArmError.NOT_IMPLEMENTED.answer(path.name()))
        : Handled.notAllowed(call);
  }

  private Handled status(ArmCall call, String id) {
    Operation operation = existing(id);
    ArmAnswer answer = ArmAnswer.of(200, operation.json());
    return Handled.read(
        call, operation.running() ? answer.with("Retry-After", retryAfter) : answer);
  }

  private Handled result(ArmCall call, String id) {
    Operation operation = existing(id);
    ArmAnswer answer =
        operation.running()
            ? ArmAnswer.empty(202)
                .with("Location", call.origin() + call.rawPath() + "?" + call.rawQuery())
                .with("Retry-After", retryAfter)
            : operation.result();
    return Handled.read(call, answer);
  }

  private Operation existing(String operation) {
    return documents
        .operation(operation)
        .orElseThrow(() -> ArmError.OPERATION_NOT_FOUND.refused(operation));
  }
}
