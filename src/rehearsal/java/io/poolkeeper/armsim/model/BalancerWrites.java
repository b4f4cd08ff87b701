package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.model.Documents.Change;
import io.poolkeeper.armsim.model.Documents.Replies;
import io.poolkeeper.armsim.model.Terms.ParentAddresses;
import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.armsim.protocol.ArmCall.Method;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.armsim.protocol.ResourceId;
import io.poolkeeper.model.PoolId;
import java.util.Optional;
import java.util.Set;

/**
 * Writes of load balancers and of those parts that can be written alone: pools and inbound NAT
 * rules. Others are written with the whole load balancer.
 */
record BalancerWrites(Documents documents, Replies replies) {
  /** A call about a whole one; a new one is {@code named} as its group is spelled. */
  Handled handle(ArmCall call, ResourceId id, ResourceId named, Terms terms) {
    Optional<Resource> before = documents.resources().find(id);
    return switch (call.method()) {
      case PUT -> put(call, before.map(Resource::id).orElse(named), before, terms);
      case PATCH -> patchTags(call, before.orElseThrow(id::notFound));
      case DELETE -> {
        Resource.checkEtag(call.ifMatch(), before, before.map(Resource::id).orElse(id));
        yield before
            .map(balancer -> replies.deleted(call, documents.delete(call, balancer)))
            .orElseGet(() -> Handled.absent());
      }
      case GET, HEAD, POST, OTHER -> Handled.notAllowed(call);
    };
  }

  Handled handlePart(ArmCall call, ResourceId id, boolean writable) {
    Resource owner = documents.resources().find(id.top()).orElseThrow(id.top()::notFound);
    Embedded kind = Embedded.holding(id).orElseThrow();
    return switch (writable ? call.method() : Method.OTHER) {
      case PUT -> putPart(call, owner, kind, id.name());
      case DELETE -> deletePart(call, owner, kind, id.name());
      case GET, HEAD, PATCH, POST, OTHER -> Handled.notAllowed(call);
    };
  }

  /** Creates or replaces one, its pools included, but for their addresses. */
  private Handled put(ArmCall call, ResourceId id, Optional<Resource> before, Terms terms) {
    ObjectNode document = BalancerDocument.read(reading(id, before), call.object());
    Resource.checkEtag(call.ifMatch(), before, id);
    if (terms.parentAddresses() == ParentAddresses.IGNORED) {
      PoolEntries.keep(document, before);
    }
    Change change =
        before
            .map(old -> documents.put(call, old, document, Operation.PUT_LOAD_BALANCER))
            .orElseGet(() -> documents.create(call, id, document));
    Handled written =
        replies.written(call, change, before.isEmpty(), View.of(change.after()).whole());
    boolean asRecorded = before.isPresent() || change.running();
    return asRecorded ? written : Handled.changed(written.answer());
  }

  private Handled patchTags(ArmCall call, Resource before) {
    Optional<ObjectNode> tags = BalancerDocument.tags(call.object());
    Resource.checkEtag(call.ifMatch(), Optional.of(before), before.id());
    if (tags.isEmpty()) {
      return Handled.unchanged(ArmAnswer.of(200, View.of(before).whole()));
    }
    ObjectNode document = ArmJson.without(before.document(), Set.of());
    document.set("tags", tags.get());
    Resource after = documents.resources().touch(before, document);
    return Handled.changed(ArmAnswer.of(200, View.of(after).whole()));
  }

  private Handled putPart(ArmCall call, Resource before, Embedded kind, String asked) {
    Optional<JsonNode> old = before.part(kind, asked);
    String name = old.map(Embedded::name).orElse(asked);
    Optional<PoolId> pool = before.id().child(kind.member(), name).pool();
    pool.ifPresent(id -> Sku.refuseBasic(before.document(), id.path()));
    if (pool.isPresent() && documents.deviates(Deviation.READ_ONLY_REFUSED)) {
      BalancerDocument.refuseReadOnly(call.object());
    }
    Reading reading = reading(before.id(), Optional.of(before));
    ObjectNode part = BalancerDocument.part(reading, kind, name, call.object());
    // Compares only this part, so that the cost does not depend on the number of pools.
    boolean same = old.filter(part::equals).isPresent();
    ObjectNode next = same ? before.document() : kind.with(before.document(), part);
    if (pool.isEmpty()) {
      new BalancerRules(reading, next).check();
    } else if (documents.deviates(Deviation.OUTSIDE_REFUSED)) {
      PoolEntries.checkInside(pool.get().path(), part, documents.resources());
    }
    checkEtag(call, before, kind);
    String operation = pool.isPresent() ? Operation.PUT_POOL : Operation.PUT_NAT_RULE;
    Change change = documents.put(call, before, next, operation);
    Handled plain =
        replies.written(call, change, old.isEmpty(), View.of(change.after()).part(kind, part));
    boolean located = pool.isPresent() && documents.deviates(Deviation.POLL_BY_LOCATION);
    Handled written =
        located ? plain.with(replies.byLocation(plain.answer(), call, change)) : plain;
    return pool.map(id -> written.writing(new Handled.PoolWrite(id, PoolMember.of(part))))
        .orElse(written);
  }

  private Handled deletePart(ArmCall call, Resource before, Embedded kind, String asked) {
    checkEtag(call, before, kind);
    Optional<String> name = before.part(kind, asked).map(Embedded::name);
    boolean pool = kind == Embedded.POOLS;
    boolean releases = pool && documents.deviates(Deviation.USED_POOL_DELETED);
    if (pool && !releases) {
      name.ifPresent(used -> BalancerRules.checkUnused(before, used));
    }
    String operation = pool ? Operation.DELETE_POOL : Operation.DELETE_NAT_RULE;
    return name.map(
            known -> {
              ObjectNode next = kind.without(before.document(), known);
              return releases
                  ? BalancerRules.released(next, kind.path(before.id().path(), known))
                  : next;
            })
        .map(next -> documents.remove(call, before, next, operation))
        .map(change -> replies.deleted(call, change))
        .orElseGet(() -> Handled.absent());
  }

  private void checkEtag(ArmCall call, Resource before, Embedded kind) {
    if (kind != Embedded.POOLS || !documents.deviates(Deviation.IF_MATCH_IGNORED)) {
      Resource.checkEtag(call.ifMatch(), Optional.of(before), before.id());
    }
  }

  private Reading reading(ResourceId id, Optional<Resource> before) {
    return new Reading(
        id, before, false, documents.resources()::knowsNetwork, documents.deviations());
  }
}
