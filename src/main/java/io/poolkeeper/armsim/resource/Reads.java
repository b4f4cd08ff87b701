package io.poolkeeper.armsim.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.armsim.protocol.ResourceId;
import io.poolkeeper.armsim.protocol.ResourceScope;
import io.poolkeeper.model.Names;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads of the store. */
public final class Reads {
  /** Members of an entry in a list of resources of all types, besides id, name and type. */
  private static final List<String> SUMMARY = List.of("location", "tags", "sku", "kind", "zones");

  private static final Set<String> DEEP = Set.of("virtualmachinescalesets/networkinterfaces");

  private final Resources resources;

  public Reads(Resources resources) {
    this.resources = resources;
  }

  /** An item of a list, and what it is sorted by. */
  public record Item(String key, ObjectNode document) {}

  /** A resource as a GET shows it; refused if there is none. */
  public ObjectNode get(ResourceId id) {
    Views views = resources.views(id.type());
    Optional<Embedded> array = Embedded.holding(id);
    ResourceId holder = array.isPresent() ? id.parent().orElseThrow() : id;
    Resource owner = resources.find(holder).orElseThrow(holder::notFound);
    return array
        .map(held -> views.part(owner, held, resources.element(id)))
        .orElseGet(() -> views.whole(owner));
  }

  /** Whether a resource can be written alone. */
  public static boolean writable(ResourceId id) {
    return Embedded.holding(id).map(Embedded::writable).orElse(true);
  }

  /** The instance view of a machine, if the path asks for it instead of a list. */
  public Optional<ObjectNode> instanceView(ResourceScope list) {
    return list.type().equalsIgnoreCase("instanceView")
        ? list.parent()
            .flatMap(resources::find)
            .map(machine -> machine.properties().path("instanceView"))
            .filter(ObjectNode.class::isInstance)
            .map(ObjectNode.class::cast)
        : Optional.empty();
  }

  /** The resources of one type; refused if their parent is missing. */
  public List<Item> list(ResourceScope list) {
    Views views = resources.views(list.fullType());
    Optional<ResourceId> parent = list.parent();
    // Regions and their offers are not resources: the list is empty, but not an error.
    if (parent.isPresent() && parent.get().types().getFirst().equals("locations")) {
      return List.of();
    }
    if (parent.isPresent() && !resources.contains(parent.get())) {
      throw Resources.noParent(parent.get(), list.fullType(), "read");
    }
    Optional<Embedded> array =
        parent.flatMap(owner -> Embedded.holding(owner.child(list.type(), "any")));
    if (array.isPresent()) {
      Resource owner = resources.find(parent.get()).orElseThrow();
      return owner
          .array(array.get())
          .valueStream()
          .map(part -> item(views.part(owner, array.get(), part)))
          .toList();
    }
    return resources.all().stream()
        .filter(resource -> belongs(list, resource.id()))
        .map(resource -> item(views.whole(resource)))
        .toList();
  }

  /** One entry per top-level resource, of all types. */
  public static List<Item> summaries(List<Resource> all, Optional<String> type) {
    return all.stream()
        .filter(resource -> resource.id().parent().isEmpty())
        .filter(resource -> type.isEmpty() || resource.id().type().equalsIgnoreCase(type.get()))
        .map(resource -> item(summary(resource)))
        .toList();
  }

  private static ObjectNode summary(Resource resource) {
    ObjectNode out = ArmJson.MAPPER.createObjectNode();
    out.put("id", resource.id().path()).put("name", resource.id().name());
    out.put("type", resource.id().type());
    ArmJson.copy(resource.document(), out, SUMMARY);
    return out;
  }

  /** Whether it is in the list; a scale set's interfaces are those of its instances. */
  private static boolean belongs(ResourceScope list, ResourceId id) {
    Optional<ResourceId> parent = list.parent();
    String tail = list.fullType().substring(list.namespace().length() + 1);
    boolean deep = parent.isPresent() && DEEP.contains(Names.fold(tail));
    return deep
        ? id.below(parent.get()) && id.types().getLast().equals(Machines.INTERFACES)
        : list.contains(id);
  }

  private static Item item(ObjectNode document) {
    return new Item(document.path("id").asText(), document);
  }
}
