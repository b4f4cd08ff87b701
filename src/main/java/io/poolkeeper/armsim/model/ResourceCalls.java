package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.armsim.protocol.GroupId;
import io.poolkeeper.armsim.protocol.Page;
import io.poolkeeper.armsim.protocol.ResourceId;
import io.poolkeeper.armsim.resource.Embedded;
import io.poolkeeper.armsim.resource.Providers;
import io.poolkeeper.armsim.resource.Reads;
import io.poolkeeper.armsim.resource.Resource;
import io.poolkeeper.armsim.resource.ResourceWrites;
import io.poolkeeper.armsim.resource.ResourceWrites.Written;
import java.util.List;
import java.util.Optional;

/**
 * Calls about resources of any type. The network provider's writes start operations; writes of
 * other providers are done when they are answered.
 */
final class ResourceCalls {
  private final Documents documents;
  private final Reads reads;
  private final ResourceWrites writes;
  private final BalancerWrites balancers;
  private final Replies replies;

  ResourceCalls(Documents documents, Replies replies) {
    this.documents = documents;
    this.reads = new Reads(documents.resources());
    this.writes = new ResourceWrites(documents.resources());
    this.balancers = new BalancerWrites(documents, replies);
    this.replies = replies;
  }

  List<Page.Item> list(ResourceId asked) {
    asked.groupId().ifPresent(documents::existing);
    return reads.list(Providers.canonical(asked));
  }

  Optional<ObjectNode> instanceView(ResourceId list) {
    return reads.instanceView(list);
  }

  Handled handle(ArmCall call, ResourceId asked, Terms terms) {
    if (asked.ofBalancers()) {
      GroupId group = documents.existing(asked.groupId().orElseThrow()).id();
      return asked.isBalancer()
          ? balancer(call, asked, group, terms)
          : part(call, asked, Reads.writable(asked));
    }
    ResourceId id = inGroup(Providers.canonical(asked));
    boolean writable = Reads.writable(id);
    return switch (call.method()) {
      case GET -> Handled.unchanged(reads.get(id));
      case PUT -> writable ? put(call, id) : Handled.notAllowed(call);
      case PATCH -> writable ? patch(call, id) : Handled.notAllowed(call);
      case DELETE -> writable ? delete(call, id) : Handled.notAllowed(call);
      case HEAD, POST, OTHER -> Handled.notAllowed(call);
    };
  }

  private Handled balancer(ArmCall call, ResourceId asked, GroupId group, Terms terms) {
    Optional<Resource> before = documents.resources().find(asked);
    return switch (call.method()) {
      case GET -> Handled.unchanged(reads.get(asked));
      case PUT -> balancers.put(call, asked.in(group), before, terms.parentAddresses());
      case PATCH -> balancers.patchTags(call, before.orElseThrow(asked::notFound));
      case DELETE -> balancers.delete(call, before);
      case HEAD, POST, OTHER -> Handled.notAllowed(call);
    };
  }

  private Handled part(ArmCall call, ResourceId asked, boolean writable) {
    ResourceId top = asked.top();
    Resource owner = documents.resources().find(top).orElseThrow(top::notFound);
    Embedded kind = Embedded.holding(asked).orElseThrow();
    return switch (call.method()) {
      case GET -> Handled.unchanged(reads.get(asked));
      case PUT ->
          writable ? balancers.putPart(call, owner, kind, asked.name()) : Handled.notAllowed(call);
      case DELETE ->
          writable
              ? balancers.deletePart(call, owner, kind, asked.name())
              : Handled.notAllowed(call);
      case HEAD, PATCH, POST, OTHER -> Handled.notAllowed(call);
    };
  }

  private Handled put(ArmCall call, ResourceId id) {
    String operation = documents.guid();
    Written written = writes.put(id, call.object(), call.ifMatch(), operation);
    ArmAnswer answer = ArmAnswer.of(written.created() ? 201 : 200, written.content());
    if (!written.followed()) {
      return Handled.changed(answer);
    }
    String path = written.owner().id().path();
    documents.start(operation, Operation.PUT_RESOURCE, path);
    ArmAnswer following = replies.following(answer, call, written.owner(), operation);
    if (!written.running()) {
      documents.end(operation, new Operation.Outcome.Succeeded());
      return Handled.noop(following);
    }
    return Handled.started(following, operation);
  }

  private Handled patch(ArmCall call, ResourceId id) {
    Written written = writes.patch(id, call.object(), call.ifMatch());
    return Handled.changed(ArmAnswer.of(200, written.content()));
  }

  private Handled delete(ArmCall call, ResourceId id) {
    String operation = documents.guid();
    Optional<Resource> owner = writes.delete(id, call.ifMatch(), operation);
    if (owner.isEmpty()) {
      return Handled.absent();
    }
    if (!id.ofNetwork()) {
      return Handled.changed(ArmAnswer.empty(200));
    }
    documents.start(operation, Operation.DELETE_RESOURCE, owner.get().id().path());
    return Handled.started(replies.accepted(call, owner.get(), operation), operation);
  }

  /** The id with its group spelled as that was first written; refused if there is no such group. */
  private ResourceId inGroup(ResourceId id) {
    return id.groupId().map(group -> id.in(documents.existing(group).id())).orElse(id);
  }
}
