package io.poolkeeper.armsim.model;

import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.armsim.protocol.ArmError;
import io.poolkeeper.armsim.protocol.ArmJson.Content;
import io.poolkeeper.armsim.protocol.Page;
import java.util.List;
import java.util.Optional;

/**
 * The parts of a load balancer that have routes of their own: all can be read, and an inbound NAT
 * rule can be written by itself. Others are written with the whole load balancer.
 */
record BalancerParts(Documents documents, Replies replies, int pageSize) {
  Handled list(ArmCall call, LoadBalancer balancer, ChildKind kind) {
    List<Child> all = balancer.content().children(kind);
    return Handled.read(
        call,
        Page.of(
            call, pageSize, all, Child::name, (part, out) -> balancer.writeChild(out, kind, part)));
  }

  Handled handle(ArmCall call, LoadBalancer balancer, ChildKind kind, String name) {
    boolean writable = kind == ChildKind.NAT_RULE;
    return switch (call.method()) {
      case GET -> read(balancer, kind, name);
      case PUT -> writable ? put(call, balancer, name) : Handled.notAllowed(call);
      case DELETE -> writable ? delete(call, balancer, name) : Handled.notAllowed(call);
      case HEAD, PATCH, POST, OTHER -> Handled.notAllowed(call);
    };
  }

  private static Handled read(LoadBalancer balancer, ChildKind kind, String name) {
    String path = kind.path(balancer.id(), name);
    Child part =
        balancer
            .content()
            .child(kind, name)
            .orElseThrow(() -> ArmError.PART_NOT_FOUND.refused(path));
    return Handled.found(balancer, out -> balancer.writeChild(out, kind, part));
  }

  private Handled put(ArmCall call, LoadBalancer before, String name) {
    ChildKind kind = ChildKind.NAT_RULE;
    Optional<Child> old = before.content().child(kind, name);
    String kept = old.map(Child::name).orElse(name);
    Child rule = Child.parse(kept, call.object(), kind.readOnly(), kind.first());
    LoadBalancerContent next = before.content().with(before.id(), kind, rule);
    new BalancerRules(documents.reading(before.id(), Optional.of(before)), next).check();
    Documents.checkEtag(call, Optional.of(before));
    Documents.Change change = documents.put(call, before, next, Operation.PUT_NAT_RULE);
    Content content = out -> change.after().writeChild(out, kind, rule);
    return replies.written(call, change, old.isPresent() ? 200 : 201, content);
  }

  private Handled delete(ArmCall call, LoadBalancer before, String name) {
    ChildKind kind = ChildKind.NAT_RULE;
    Documents.checkEtag(call, Optional.of(before));
    return before
        .content()
        .child(kind, name)
        .map(rule -> before.content().without(before.id(), kind, rule))
        .map(next -> documents.remove(call, before, next, Operation.DELETE_NAT_RULE))
        .map(change -> replies.deleted(call, change))
        .orElseGet(() -> Handled.absent());
  }
}
