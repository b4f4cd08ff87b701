package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ArmError;
import io.poolkeeper.armsim.protocol.ArmJson.Content;
import io.poolkeeper.armsim.protocol.Links;
import io.poolkeeper.armsim.protocol.ResourceId;
import java.util.Optional;

/**
 * Applies writes to the store when they are accepted. A write of the network provider leaves its
 * resource Updating until its operation ends, and has no effect if it changes nothing; all others
 * are done at once.
 */
public record ResourceWrites(Resources resources) {
  /**
   * A write that was applied.
   *
   * @param owner the document with the written part
   * @param content the written part as a GET shows it
   * @param created whether it is new
   * @param running whether its operation has to be completed
   * @param followed whether the client gets an operation to poll
   */
  public record Written(
      Resource owner, Content content, boolean created, boolean running, boolean followed) {}

  /**
   * Creates or replaces a resource.
   *
   * @param asked in the spelling of {@link Providers#canonical(ResourceId)}
   * @param operation the id of the operation, if one is needed
   */
  public Written put(ResourceId asked, JsonNode body, Optional<String> etag, String operation) {
    requireParent(asked);
    Optional<Embedded> array = Embedded.holding(asked);
    Optional<Resource> before = holder(asked);
    Resource.checkEtag(etag, before, asked);
    if (array.isPresent()) {
      Resource owner = before.orElseThrow(asked::notFound);
      String name = resources.part(asked).map(Embedded::name).orElse(asked.name());
      return part(owner, asked, Body.part(array.get(), name, body), Optional.of(operation));
    }
    ResourceId id = before.map(Resource::id).orElseGet(() -> spelled(asked));
    return apply(id, before, Body.whole(id, body), Optional.of(operation));
  }

  /** Merges into a resource; done at once. */
  public Written patch(ResourceId asked, JsonNode body, Optional<String> etag) {
    Optional<Embedded> array = Embedded.holding(asked);
    Resource owner = holder(asked).orElseThrow(asked::notFound);
    Resource.checkEtag(etag, Optional.of(owner), asked);
    if (array.isEmpty()) {
      ObjectNode document = owner.document().deepCopy();
      Body.merge(document, body);
      return apply(
          owner.id(), Optional.of(owner), Body.whole(owner.id(), document), Optional.empty());
    }
    ObjectNode element = resources.element(asked).deepCopy();
    Body.merge(element, body);
    return part(owner, asked, Body.part(array.get(), asked.name(), element), Optional.empty());
  }

  /** Deletes a resource with all its children; returns the document that held it, if it existed. */
  public Optional<Resource> delete(ResourceId asked, Optional<String> etag, String operation) {
    Optional<Embedded> array = Embedded.holding(asked);
    Optional<Resource> owner = holder(asked);
    Resource.checkEtag(etag, owner, asked);
    if (!resources.contains(asked) || owner.isEmpty()) {
      return Optional.empty();
    }
    Shapes.checkUnused(asked, resources.users(asked.type()));
    if (array.isEmpty()) {
      resources.remove(owner.get());
      Shapes.unfollow(owner.get(), resources);
      return owner;
    }
    ObjectNode document = owner.get().document().deepCopy();
    array.get().remove(document, asked.name());
    Resource after = owner.get().with(document, resources.etag(), Optional.of(operation));
    resources.store(after);
    return Optional.of(after);
  }

  private Written part(
      Resource owner, ResourceId asked, ObjectNode element, Optional<String> operation) {
    Embedded array = Embedded.holding(asked).orElseThrow();
    boolean created = resources.part(asked).isEmpty();
    ObjectNode document = owner.document().deepCopy();
    array.place(document, element);
    Written whole = apply(owner.id(), Optional.of(owner), document, operation);
    View view = View.of(whole.owner(), resources.users(asked.type()));
    Content content = view.part(array, resources.element(asked));
    return new Written(whole.owner(), content, created, whole.running(), whole.followed());
  }

  private Written apply(
      ResourceId id, Optional<Resource> before, ObjectNode document, Optional<String> operation) {
    before.ifPresent(old -> checkPlace(old, document));
    Shapes.accept(id, document, before, resources);
    boolean followed = operation.isPresent() && id.ofNetwork();
    boolean resting = before.map(old -> old.running().isEmpty()).orElse(false);
    boolean same = before.map(old -> old.document().equals(document)).orElse(false);
    boolean running = followed && !(resting && same);
    Optional<String> after = running ? operation : before.flatMap(Resource::running);
    Resource written =
        before
            .map(old -> same && resting ? old : old.with(document, resources.etag(), after))
            .orElseGet(() -> resources.made(id, document))
            .running(after);
    resources.store(written);
    Shapes.follow(written, resources);
    Content content = resources.view(written).whole();
    return new Written(written, content, before.isEmpty(), running, followed);
  }

  /** The document that holds the resource: its own, or that of its parent. */
  private Optional<Resource> holder(ResourceId asked) {
    return Embedded.holding(asked).isPresent()
        ? asked.parent().flatMap(resources::find)
        : resources.find(asked);
  }

  private void requireParent(ResourceId asked) {
    Optional<ResourceId> parent = asked.parent();
    if (parent.isPresent() && !resources.contains(parent.get())) {
      throw Resources.noParent(parent.get(), asked.type(), "write");
    }
  }

  /** A new id below an existing parent gets the parent's spelling. */
  private ResourceId spelled(ResourceId asked) {
    return asked
        .parent()
        .flatMap(resources::find)
        .map(parent -> parent.id().child(asked.types().getLast(), asked.name()))
        .orElse(asked);
  }

  private static void checkPlace(Resource before, ObjectNode document) {
    String place = document.path("location").asText("");
    if (!Links.place(before.location()).equals(Links.place(place))) {
      throw ArmError.LOCATION_CHANGED.refused(
          before.id().name(), before.location(), before.id().type());
    }
  }
}
