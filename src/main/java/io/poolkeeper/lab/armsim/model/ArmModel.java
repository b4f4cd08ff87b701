package io.poolkeeper.lab.armsim.model;

import io.poolkeeper.lab.armsim.protocol.ApiVersion;
import io.poolkeeper.lab.armsim.protocol.ArmAnswer;
import io.poolkeeper.lab.armsim.protocol.ArmCall;
import io.poolkeeper.lab.armsim.protocol.ArmCall.Method;
import io.poolkeeper.lab.armsim.protocol.ArmJson.Content;
import io.poolkeeper.lab.armsim.protocol.ArmPath;
import io.poolkeeper.lab.armsim.protocol.GroupId;
import io.poolkeeper.lab.armsim.protocol.Links;
import io.poolkeeper.lab.armsim.protocol.Page;
import io.poolkeeper.lab.armsim.protocol.Refused;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Resource Manager as a state machine: a call in, an answer out, and the end of an operation as an
 * event of its own. Confined to one thread; what it hands out is immutable.
 */
public final class ArmModel {
  private final Documents documents;
  private final int pageSize;
  private final String retryAfter;
  private final General general;

  /**
   * An empty model.
   *
   * @param guids each one new
   * @param pageSize items per page of a list
   * @param retryAfter what answers with a running operation advise, in seconds
   */
  public ArmModel(Supplier<String> guids, int pageSize, int retryAfter) {
    this.documents = new Documents(guids);
    this.pageSize = pageSize;
    this.retryAfter = Integer.toString(retryAfter);
    this.general = new General(documents, pageSize, retryAfter);
  }

  /** Handles one call, to its end or to the start of its operation. */
  public Handled handle(ArmCall call) {
    Optional<ArmAnswer> refusal = ApiVersion.refusal(call.apiVersion(), call.path());
    if (refusal.isPresent()) {
      return Handled.unchanged(refusal.get());
    }
    if (call.method() == Method.HEAD) {
      return General.head(handle(call.as(Method.GET)));
    }
    try {
      general.refuseWhereDeleting(call);
      return switch (call.path()) {
        case ArmPath.Group path -> general.group(call, path.id());
        case ArmPath.General path -> general.handle(call, path.path());
        case ArmPath.LoadBalancers path -> listBalancers(call, path.group());
        case ArmPath.OneLoadBalancer path -> balancer(call, path.id());
        case ArmPath.Pools path -> listPools(call, path.id());
        case ArmPath.OnePool path -> pool(call, path.id());
        case ArmPath.OperationStatus path -> status(call, path.id());
        case ArmPath.OperationResult path -> result(call, path.id());
        case ArmPath.Unknown path -> Handled.unchanged(ArmAnswer.unknownType(path.text()));
      };
    } catch (Refused refused) {
      return Handled.unchanged(refused.answer());
    }
  }

  /** Ends an operation successfully; says whether it was still running. */
  public boolean complete(String operation) {
    return documents.complete(operation);
  }

  public Optional<Operation> operation(String id) {
    return documents.operation(id);
  }

  /** The guids of all running operations. */
  public List<String> running() {
    return documents.running();
  }

  /** The load balancers by id, as they are now. */
  public Map<LoadBalancerId, LoadBalancer> loadBalancers() {
    return documents.balancers();
  }

  public ArmState snapshot() {
    return documents.snapshot();
  }

  /** Replaces everything. */
  public void restore(ArmState state) {
    documents.restore(state);
  }

  private Handled balancer(ArmCall call, LoadBalancerId id) {
    GroupId group = existing(GroupId.of(id)).id();
    return switch (call.method()) {
      case GET -> {
        LoadBalancer balancer = existing(id);
        ArmAnswer answer = ArmAnswer.of(200, balancer::write);
        yield Handled.unchanged(answer.with("ETag", balancer.etag()));
      }
      case PUT -> putBalancer(call, group, id);
      case DELETE -> {
        Optional<LoadBalancer> before = documents.balancer(id);
        checkEtag(call, before);
        yield before
            .map(balancer -> deleted(call, documents.delete(balancer)))
            .orElseGet(() -> Handled.unchanged(ArmAnswer.empty(204)));
      }
      case HEAD, PATCH, POST, OTHER -> Handled.unchanged(ArmAnswer.notAllowed(call));
    };
  }

  private Handled putBalancer(ArmCall call, GroupId group, LoadBalancerId id) {
    Optional<LoadBalancer> before = documents.balancer(id);
    LoadBalancerId named =
        before
            .map(LoadBalancer::id)
            .orElseGet(() -> new LoadBalancerId(group.subscription(), group.name(), id.name()));
    LoadBalancerContent content = LoadBalancerContent.parse(named, call.object());
    checkEtag(call, before);
    Documents.Change change =
        before
            .map(old -> documents.put(old, content, Operation.PUT_LOAD_BALANCER))
            .orElseGet(() -> documents.create(named, content));
    Handled written = written(call, change, before.isPresent() ? 200 : 201, change.after()::write);
    return before.isPresent() ? written : Handled.changed(written.answer());
  }

  private Handled pool(ArmCall call, PoolId id) {
    existing(GroupId.of(id.loadBalancer()));
    LoadBalancer balancer = existing(id.loadBalancer());
    Optional<Pool> before = balancer.pool(id.name());
    return switch (call.method()) {
      case GET -> {
        Pool pool = before.orElseThrow(() -> new Refused(ArmAnswer.notFound(id)));
        ArmAnswer answer = ArmAnswer.of(200, out -> pool.write(out, balancer));
        yield Handled.unchanged(answer.with("ETag", balancer.etag()));
      }
      case PUT -> putPool(call, balancer, before.map(Pool::name).orElse(id.name()));
      case DELETE -> {
        checkEtag(call, Optional.of(balancer));
        yield before
            .map(pool -> balancer.content().without(pool))
            .map(next -> documents.change(balancer, next, Operation.DELETE_POOL))
            .map(change -> deleted(call, change))
            .orElseGet(() -> Handled.unchanged(ArmAnswer.empty(204)));
      }
      case HEAD, PATCH, POST, OTHER -> Handled.unchanged(ArmAnswer.notAllowed(call));
    };
  }

  private Handled putPool(ArmCall call, LoadBalancer before, String name) {
    Pool pool = Pool.parse(before.id().path(), name, call.object());
    checkEtag(call, Optional.of(before));
    int status = before.pool(name).isPresent() ? 200 : 201;
    Documents.Change change =
        documents.put(before, before.content().with(pool), Operation.PUT_POOL);
    return written(call, change, status, out -> pool.write(out, change.after()))
        .writing(new Handled.PoolWrite(before.id().pool(name), pool.members()));
  }

  private Handled written(ArmCall call, Documents.Change change, int status, Content content) {
    ArmAnswer answer = following(ArmAnswer.of(status, content), call, change);
    return change.running() ? Handled.started(answer, change) : Handled.noop(answer);
  }

  private Handled deleted(ArmCall call, Documents.Change change) {
    String location = link(call, change, "operationResults");
    ArmAnswer answer = following(ArmAnswer.empty(202).with("Location", location), call, change);
    return Handled.started(answer, change);
  }

  private ArmAnswer following(ArmAnswer answer, ArmCall call, Documents.Change change) {
    String link = link(call, change, "operations");
    return answer
        .with("Azure-AsyncOperation", link)
        .with("Azure-AsyncNotification", "Enabled")
        .with("Retry-After", retryAfter)
        .with("x-ms-request-id", change.operation());
  }

  private static String link(ArmCall call, Documents.Change change, String collection) {
    LoadBalancer balancer = change.after();
    return Links.operation(
        call,
        balancer.id().subscription(),
        balancer.content().location(),
        collection,
        change.operation());
  }

  private Handled listBalancers(ArmCall call, GroupId id) {
    existing(id);
    List<LoadBalancer> all = documents.balancers(id);
    Page<LoadBalancer> page = Page.of(all, lb -> lb.id().name(), call.skipToken(), pageSize);
    return reading(call, page.answer(call, (out, balancer) -> balancer.write(out)));
  }

  private Handled listPools(ArmCall call, LoadBalancerId id) {
    existing(GroupId.of(id));
    LoadBalancer balancer = existing(id);
    List<Pool> all = List.copyOf(balancer.content().pools().values());
    Page<Pool> page = Page.of(all, Pool::name, call.skipToken(), pageSize);
    return reading(call, page.answer(call, (out, pool) -> pool.write(out, balancer)));
  }

  private Handled status(ArmCall call, String id) {
    Operation operation = existing(id);
    ArmAnswer answer = ArmAnswer.of(200, operation::write);
    return reading(call, operation.running() ? answer.with("Retry-After", retryAfter) : answer);
  }

  private Handled result(ArmCall call, String id) {
    ArmAnswer answer =
        existing(id).running()
            ? ArmAnswer.empty(202)
                .with("Location", call.origin() + call.rawPath() + "?" + call.rawQuery())
                .with("Retry-After", retryAfter)
            : ArmAnswer.empty(existing(id).name().equals(Operation.DELETE_GROUP) ? 200 : 204);
    return reading(call, answer);
  }

  private static Handled reading(ArmCall call, ArmAnswer answer) {
    boolean reads = call.method() == Method.GET;
    return Handled.unchanged(reads ? answer : ArmAnswer.notAllowed(call));
  }

  private ResourceGroup existing(GroupId id) {
    return documents.group(id).orElseThrow(() -> new Refused(ArmAnswer.groupNotFound(id.name())));
  }

  private LoadBalancer existing(LoadBalancerId id) {
    return documents.balancer(id).orElseThrow(() -> new Refused(ArmAnswer.notFound(id)));
  }

  private Operation existing(String operation) {
    return documents
        .operation(operation)
        .orElseThrow(() -> new Refused(ArmAnswer.operationNotFound(operation)));
  }

  private static void checkEtag(ArmCall call, Optional<LoadBalancer> stored) {
    Optional<String> wanted = call.ifMatch();
    if (wanted.isEmpty()) {
      return;
    }
    LoadBalancer balancer =
        stored.orElseThrow(() -> new Refused(ArmAnswer.nothingToMatch(wanted.get())));
    if (!wanted.get().equals("*") && !wanted.get().equals(balancer.etag())) {
      throw new Refused(
          ArmAnswer.etagMismatch(wanted.get(), balancer.etag(), balancer.id().path()));
    }
  }
}
