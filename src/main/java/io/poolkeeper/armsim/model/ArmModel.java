package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ApiVersion;
import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.armsim.protocol.ArmCall.Method;
import io.poolkeeper.armsim.protocol.ArmError;
import io.poolkeeper.armsim.protocol.ArmPath;
import io.poolkeeper.armsim.protocol.GroupId;
import io.poolkeeper.armsim.protocol.Page;
import io.poolkeeper.armsim.protocol.Refused;
import io.poolkeeper.armsim.protocol.ResourceId;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Resource Manager as a state machine: handles calls, and ends operations as separate events.
 * Confined to one thread; its results are immutable.
 */
public final class ArmModel {
  private final Documents documents;
  private final int pageSize;
  private final String retryAfter;
  private final Replies replies;
  private final BalancerParts parts;
  private final General general;

  /**
   * Creates an empty model.
   *
   * @param guids each one unique
   * @param pageSize items per page of a list
   * @param retryAfter the seconds to wait in answers with a running operation
   */
  public ArmModel(Supplier<String> guids, int pageSize, int retryAfter) {
    this.documents = new Documents(guids);
    this.pageSize = pageSize;
    this.retryAfter = Integer.toString(retryAfter);
    this.replies = new Replies(this.retryAfter);
    this.parts = new BalancerParts(documents, replies, pageSize);
    this.general = new General(documents, replies, pageSize, retryAfter);
  }

  public Handled handle(ArmCall call) {
    return handle(call, Terms.PLAIN);
  }

  /** Handles one call, to its end or to the start of its operation. */
  public Handled handle(ArmCall call, Terms terms) {
    documents.under(terms);
    Optional<ArmAnswer> refusal = ApiVersion.refusal(call.apiVersion(), call.path());
    if (refusal.isPresent()) {
      return Handled.unchanged(refusal.get());
    }
    if (call.method() == Method.HEAD) {
      return General.head(handle(call.as(Method.GET), terms));
    }
    try {
      general.refuseWhereDeleting(call);
      return switch (call.path()) {
        case ArmPath.Group path -> general.group(call, path.id());
        case ArmPath.General path -> general.handle(call, path.path());
        case ArmPath.LoadBalancers path -> listBalancers(call, path.group());
        case ArmPath.SubscriptionBalancers path -> listBalancers(call, path.subscription());
        case ArmPath.OneLoadBalancer path -> balancer(call, path.id(), terms);
        case ArmPath.Pools path -> listPools(call, path.id());
        case ArmPath.OnePool path -> pool(call, path.id());
        case ArmPath.Parts path -> parts.list(call, reached(path.id()), ChildKind.of(path.kind()));
        case ArmPath.OnePart path ->
            parts.handle(call, reached(path.id()), ChildKind.of(path.kind()), path.name());
        case ArmPath.Action path -> action(call, path);
        case ArmPath.OperationStatus path -> status(call, path.id());
        case ArmPath.OperationResult path -> result(call, path.id());
        case ArmPath.Unknown path -> Handled.unchanged(ArmAnswer.unknownType(call));
      };
    } catch (Refused refused) {
      return Handled.unchanged(refused.answer());
    }
  }

  /** Ends an operation successfully; returns whether it was still running. */
  public boolean complete(String operation) {
    return end(operation, new Operation.Outcome.Succeeded());
  }

  /** Ends an operation; returns whether it was still running. */
  public boolean end(String operation, Operation.Outcome how) {
    return documents.end(operation, how);
  }

  public Optional<Operation> operation(String id) {
    return documents.operation(id);
  }

  /** The current etag of the load balancer in a path. */
  public Optional<String> etag(ArmPath path) {
    return path.loadBalancer().flatMap(documents::balancer).map(LoadBalancer::etag);
  }

  /** The region of the resource in a path, as it was written; empty if it is unknown. */
  public String region(ArmPath path) {
    return path.loadBalancer()
        .flatMap(documents::balancer)
        .map(balancer -> balancer.content().location())
        .or(() -> path.resourceGroup().flatMap(documents::group).map(ResourceGroup::location))
        .orElse("");
  }

  /** The guids of all running operations. */
  public List<String> running() {
    return documents.running();
  }

  public Map<LoadBalancerId, LoadBalancer> loadBalancers() {
    return documents.balancers();
  }

  void joinNic(PoolId pool, String nicIpConfigurationId) {
    documents.joinNic(pool, nicIpConfigurationId);
  }

  void leaveNic(PoolId pool, String nicIpConfigurationId) {
    documents.leaveNic(pool, nicIpConfigurationId);
  }

  public ArmState snapshot() {
    return documents.snapshot();
  }

  public void restore(ArmState state) {
    documents.restore(state);
  }

  private Handled balancer(ArmCall call, LoadBalancerId id, Terms terms) {
    GroupId group = documents.existing(GroupId.of(id)).id();
    return switch (call.method()) {
      case GET -> {
        LoadBalancer balancer = existing(id);
        yield Handled.found(balancer, balancer::write);
      }
      case PUT -> putBalancer(call, group, id, terms.parentAddresses());
      case PATCH -> patchTags(call, existing(id));
      case DELETE -> {
        Optional<LoadBalancer> before = documents.balancer(id);
        Documents.checkEtag(call, before);
        yield before
            .map(balancer -> replies.deleted(call, documents.delete(call, balancer)))
            .orElseGet(() -> Handled.absent());
      }
      case HEAD, POST, OTHER -> Handled.notAllowed(call);
    };
  }

  private Handled putBalancer(
      ArmCall call, GroupId group, LoadBalancerId id, ParentAddresses addresses) {
    Optional<LoadBalancer> before = documents.balancer(id);
    LoadBalancerId named =
        before
            .map(LoadBalancer::id)
            .orElseGet(() -> new LoadBalancerId(group.subscription(), group.name(), id.name()));
    LoadBalancerContent sent =
        LoadBalancerContent.parse(documents.reading(named, before), call.object());
    Documents.checkEtag(call, before);
    LoadBalancerContent content = addresses.written(sent, before.map(LoadBalancer::content));
    Documents.Change change =
        before
            .map(old -> documents.put(call, old, content, Operation.PUT_LOAD_BALANCER))
            .orElseGet(() -> documents.create(call, named, content));
    Handled written =
        replies.written(call, change, before.isPresent() ? 200 : 201, change.after()::write);
    boolean asRecorded = before.isPresent() || change.running();
    return asRecorded ? written : Handled.changed(written.answer());
  }

  /** Replaces the tags only; there is no operation. */
  private Handled patchTags(ArmCall call, LoadBalancer before) {
    Optional<ObjectNode> tags = LoadBalancerContent.tags(call.object());
    Documents.checkEtag(call, Optional.of(before));
    if (tags.isEmpty()) {
      return Handled.unchanged(ArmAnswer.of(200, before::write));
    }
    LoadBalancer after = documents.touch(before, before.content().withTags(tags.get()));
    return Handled.changed(ArmAnswer.of(200, after::write));
  }

  private Handled pool(ArmCall call, PoolId id) {
    LoadBalancer balancer = reached(id.loadBalancer());
    Optional<Pool> before = balancer.pool(id.name());
    return switch (call.method()) {
      case GET -> {
        Pool pool = before.orElseThrow(() -> ArmError.PART_NOT_FOUND.refused(id.path()));
        yield Handled.found(balancer, out -> pool.write(out, balancer));
      }
      case PUT -> putPool(call, balancer, before.map(Pool::name).orElse(id.name()));
      case DELETE -> {
        Documents.checkEtag(call, Optional.of(balancer));
        before.ifPresent(pool -> BalancerRules.checkUnused(balancer, pool));
        yield before
            .map(pool -> balancer.content().without(pool))
            .map(next -> documents.remove(call, balancer, next, Operation.DELETE_POOL))
            .map(change -> replies.deleted(call, change))
            .orElseGet(() -> Handled.absent());
      }
      case HEAD, PATCH, POST, OTHER -> Handled.notAllowed(call);
    };
  }

  private Handled putPool(ArmCall call, LoadBalancer before, String name) {
    PoolId id = before.id().pool(name);
    Sku.refuseBasic(before.content().others(), id.path());
    Reading reading = documents.reading(before.id(), Optional.of(before));
    Pool pool = Pool.parse(reading, name, call.object());
    Documents.checkEtag(call, Optional.of(before));
    Optional<Pool> old = before.pool(name);
    int status = old.isPresent() ? 200 : 201;
    // Compares only this pool, so that the cost does not depend on the number of pools.
    boolean same = old.filter(pool::equals).isPresent();
    LoadBalancerContent next = same ? before.content() : before.content().with(pool);
    Documents.Change change = documents.put(call, before, next, Operation.PUT_POOL);
    return replies
        .written(call, change, status, out -> pool.write(out, change.after()))
        .writing(new Handled.PoolWrite(id, pool.members()));
  }

  private static Handled action(ArmCall call, ArmPath.Action path) {
    return call.method() == Method.POST
        ? Handled.unchanged(ArmError.NOT_IMPLEMENTED.answer(path.name()))
        : Handled.notAllowed(call);
  }

  private Handled listBalancers(ArmCall call, GroupId id) {
    List<LoadBalancer> all = documents.balancers(documents.existing(id).id());
    return Handled.read(
        call, Page.of(call, pageSize, all, lb -> lb.id().name(), LoadBalancer::write));
  }

  /** Orders by id, as names are not unique across groups. */
  private Handled listBalancers(ArmCall call, String subscription) {
    List<LoadBalancer> all = documents.ofSubscription(subscription);
    return Handled.read(
        call, Page.of(call, pageSize, all, lb -> lb.id().path(), LoadBalancer::write));
  }

  private Handled listPools(ArmCall call, LoadBalancerId id) {
    LoadBalancer balancer = reached(id);
    List<Pool> all = List.copyOf(balancer.content().allPools());
    return Handled.read(
        call, Page.of(call, pageSize, all, Pool::name, (pool, out) -> pool.write(out, balancer)));
  }

  private Handled status(ArmCall call, String id) {
    Operation operation = existing(id);
    ArmAnswer answer = ArmAnswer.of(200, operation.json());
    return Handled.read(
        call, operation.running() ? answer.with("Retry-After", retryAfter) : answer);
  }

  private Handled result(ArmCall call, String id) {
    ArmAnswer answer =
        existing(id).running()
            ? ArmAnswer.empty(202)
                .with("Location", call.origin() + call.rawPath() + "?" + call.rawQuery())
                .with("Retry-After", retryAfter)
            : ArmAnswer.empty(existing(id).name().equals(Operation.DELETE_GROUP) ? 200 : 204);
    return Handled.read(call, answer);
  }

  /** A load balancer whose group exists; the gateway checks the group first. */
  private LoadBalancer reached(LoadBalancerId id) {
    documents.existing(GroupId.of(id));
    return existing(id);
  }

  private LoadBalancer existing(LoadBalancerId id) {
    return documents
        .balancer(id)
        .orElseThrow(() -> ResourceId.parse(id.path()).orElseThrow().notFound());
  }

  private Operation existing(String operation) {
    return documents
        .operation(operation)
        .orElseThrow(() -> ArmError.OPERATION_NOT_FOUND.refused(operation));
  }
}
