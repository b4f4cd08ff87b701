package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.model.Documents.Change;
import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.armsim.protocol.ResourceId;
import io.poolkeeper.armsim.resource.BalancerDocument;
import io.poolkeeper.armsim.resource.BalancerRules;
import io.poolkeeper.armsim.resource.Embedded;
import io.poolkeeper.armsim.resource.PoolEntries;
import io.poolkeeper.armsim.resource.PoolMember;
import io.poolkeeper.armsim.resource.Reading;
import io.poolkeeper.armsim.resource.Resource;
import io.poolkeeper.armsim.resource.Resources;
import io.poolkeeper.armsim.resource.Sku;
import io.poolkeeper.armsim.resource.View;
import java.util.Optional;

/**
 * Writes of load balancers and of those parts that can be written alone: pools and inbound NAT
 * rules. Others are written with the whole load balancer.
 */
record BalancerWrites(Documents documents, Replies replies) {
  /** Creates or replaces one, its pools included, but for their addresses. */
  Handled put(ArmCall call, ResourceId asked, Optional<Resource> before, ParentAddresses how) {
    ResourceId id = before.map(Resource::id).orElse(asked);
    ObjectNode document = BalancerDocument.read(reading(id, before), call.object());
    Documents.checkEtag(call, before);
    if (how == ParentAddresses.IGNORED) {
      PoolEntries.keep(document, before);
    }
    Change change =
        before
            .map(old -> documents.put(call, old, document, Operation.PUT_LOAD_BALANCER))
            .orElseGet(() -> documents.create(call, id, document));
    Handled written =
        replies.written(
            call, change, before.isPresent() ? 200 : 201, View.of(change.after()).whole());
    boolean asRecorded = before.isPresent() || change.running();
    return asRecorded ? written : Handled.changed(written.answer());
  }

  /** Replaces the tags only; there is no operation. */
  Handled patchTags(ArmCall call, Resource before) {
    Optional<ObjectNode> tags = BalancerDocument.tags(call.object());
    Documents.checkEtag(call, Optional.of(before));
    if (tags.isEmpty()) {
      return Handled.unchanged(ArmAnswer.of(200, View.of(before).whole()));
    }
    ObjectNode document = ArmJson.MAPPER.createObjectNode();
    document.setAll(before.document());
    document.set("tags", tags.get());
    Resource after = resources().touch(before, document);
    return Handled.changed(ArmAnswer.of(200, View.of(after).whole()));
  }

  Handled delete(ArmCall call, Optional<Resource> before) {
    Documents.checkEtag(call, before);
    return before
        .map(balancer -> replies.deleted(call, documents.delete(call, balancer)))
        .orElseGet(() -> Handled.absent());
  }

  Handled putPart(ArmCall call, Resource before, Embedded kind, String asked) {
    Optional<JsonNode> old = before.part(kind, asked);
    String name = old.map(part -> part.path("name").asText()).orElse(asked);
    boolean pool = kind == Embedded.POOLS;
    if (pool) {
      Sku.refuseBasic(before.document(), before.id().child(kind.member(), name).path());
    }
    Reading reading = reading(before.id(), Optional.of(before));
    ObjectNode part = BalancerDocument.part(reading, kind, name, call.object());
    // Compares only this part, so that the cost does not depend on the number of pools.
    boolean same = old.filter(part::equals).isPresent();
    ObjectNode next = same ? before.document() : kind.with(before.document(), part);
    if (!pool) {
      new BalancerRules(reading, next).check();
    }
    Documents.checkEtag(call, Optional.of(before));
    String operation = pool ? Operation.PUT_POOL : Operation.PUT_NAT_RULE;
    Change change = documents.put(call, before, next, operation);
    Handled written =
        replies.written(
            call, change, old.isPresent() ? 200 : 201, View.of(change.after()).part(kind, part));
    return before
        .id()
        .child(kind.member(), name)
        .pool()
        .map(id -> written.writing(new Handled.PoolWrite(id, PoolMember.of(part))))
        .orElse(written);
  }

  Handled deletePart(ArmCall call, Resource before, Embedded kind, String asked) {
    Documents.checkEtag(call, Optional.of(before));
    Optional<String> name = before.part(kind, asked).map(part -> part.path("name").asText());
    boolean pool = kind == Embedded.POOLS;
    if (pool) {
      name.ifPresent(used -> BalancerRules.checkUnused(before, used));
    }
    String operation = pool ? Operation.DELETE_POOL : Operation.DELETE_NAT_RULE;
    return name.map(known -> kind.without(before.document(), known))
        .map(next -> documents.remove(call, before, next, operation))
        .map(change -> replies.deleted(call, change))
        .orElseGet(() -> Handled.absent());
  }

  private Resources resources() {
    return documents.resources();
  }

  private Reading reading(ResourceId id, Optional<Resource> before) {
    return new Reading(id, before, false, resources()::knowsNetwork);
  }
}
