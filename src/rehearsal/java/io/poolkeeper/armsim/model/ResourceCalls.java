package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.model.Documents.Replies;
import io.poolkeeper.armsim.model.ResourceWrites.Written;
import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.armsim.protocol.ArmCall.Method;
import io.poolkeeper.armsim.protocol.Page;
import io.poolkeeper.armsim.protocol.ResourceId;
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
    boolean balancer = asked.ofBalancers();
    ResourceId named = inGroup(balancer ? asked : Providers.canonical(asked));
    ResourceId id = balancer ? asked : named;
    boolean writable = Embedded.holding(id).map(Embedded::writable).orElse(true);
    if (call.method() == Method.GET) {
      boolean echoes = id.pool().isPresent() && terms.deviates(Deviation.CASE_ECHOED);
      return Handled.unchanged(
          reads.get(id, echoes ? Optional.of(call.rawPath()) : Optional.empty()));
    }
    if (balancer) {
      return id.isBalancer()
          ? balancers.handle(call, id, named, terms)
          : balancers.handlePart(call, id, writable);
    }
    return switch (writable ? call.method() : Method.OTHER) {
      case PUT -> put(call, id);
      case PATCH -> patch(call, id);
      case DELETE -> delete(call, id);
      case GET, HEAD, POST, OTHER -> Handled.notAllowed(call);
    };
  }

  private Handled put(ArmCall call, ResourceId id) {
    String operation = documents.resources().guid();
    Written written = writes.put(id, call.object(), call.ifMatch(), operation);
    return written.followed()
        ? replies.written(
            call,
            documents.follow(operation, Operation.PUT_RESOURCE, written.owner(), written.running()),
            written.created(),
            written.content())
        : Handled.changed(ArmAnswer.of(written.created() ? 201 : 200, written.content()));
  }

  private Handled patch(ArmCall call, ResourceId id) {
    Written written = writes.patch(id, call.object(), call.ifMatch());
    return Handled.changed(ArmAnswer.of(200, written.content()));
  }

  private Handled delete(ArmCall call, ResourceId id) {
    String operation = documents.resources().guid();
    Optional<Resource> owner = writes.delete(id, call.ifMatch(), operation);
    if (owner.isEmpty()) {
      return Handled.absent();
    }
    return id.ofNetwork()
        ? replies.deleted(
            call, documents.follow(operation, Operation.DELETE_RESOURCE, owner.get(), true))
        : Handled.changed(ArmAnswer.empty(200));
  }

  /** The id with its group spelled as that was first written; refused if there is no such group. */
  private ResourceId inGroup(ResourceId id) {
    return id.groupId().map(group -> id.in(documents.existing(group).id())).orElse(id);
  }
}
