package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.protocol.ArmError;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.armsim.protocol.ArmJson.Content;
import io.poolkeeper.armsim.protocol.Page.Item;
import io.poolkeeper.armsim.protocol.ResourceId;
import io.poolkeeper.model.Names;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads of the store. */
public record Reads(Resources resources) {
  /** Members of an entry in a list of resources of all types, besides id, name and type. */
  private static final List<String> SUMMARY = List.of("location", "tags", "sku", "kind", "zones");

  /** The number of those that load balancers have. */
  private static final int OF_BALANCERS = 3;

  private static final Set<String> DEEP = Set.of("virtualmachinescalesets/networkinterfaces");

  /**
   * A resource or a part of one as a GET shows it, with its etag; refused if there is none.
   *
   * @param spelled the id of a part as it is shown, if it is not shown as stored
   */
  ArmAnswer get(ResourceId id, Optional<String> spelled) {
    Optional<Embedded> array = Embedded.holding(id);
    ResourceId holder = array.isPresent() ? id.parent().orElseThrow() : id;
    Resource owner = resources.find(holder).orElseThrow(holder::notFound);
    View view = View.of(owner, resources.users(id.type()));
    Content content =
        array.map(held -> view.part(held, part(owner, held, id), spelled)).orElseGet(view::whole);
    return ArmAnswer.of(200, content).with("ETag", owner.etag());
  }

  /** The refusal names a missing part of a load balancer, but a pool, as it would be stored. */
  private static JsonNode part(Resource owner, Embedded array, ResourceId id) {
    String path = array.typeLeads() ? array.path(owner.id().path(), id.name()) : id.path();
    return owner.part(array, id.name()).orElseThrow(() -> ArmError.PART_NOT_FOUND.refused(path));
  }

  /** The instance view of a machine, if the path asks for it instead of a list. */
  public Optional<ObjectNode> instanceView(ResourceId list) {
    return list.types().getLast().equalsIgnoreCase("instanceView")
        ? list.parent()
            .flatMap(resources::find)
            .map(machine -> machine.properties().path("instanceView"))
            .filter(ObjectNode.class::isInstance)
            .map(ObjectNode.class::cast)
        : Optional.empty();
  }

  public List<Item> list(ResourceId list) {
    Optional<ResourceId> parent = list.parent();
    // Regions and their offers are not resources: the list is empty, but not an error.
    if (parent.isPresent() && parent.get().types().getFirst().equals("locations")) {
      return List.of();
    }
    if (parent.isPresent() && !resources.contains(parent.get())) {
      throw list.ofBalancers()
          ? parent.get().notFound()
          : Resources.noParent(parent.get(), list.type(), "read");
    }
    Users users = resources.users(list.type());
    Optional<Embedded> array =
        parent.flatMap(owner -> Embedded.holding(owner.child(list.types().getLast(), "any")));
    if (array.isPresent()) {
      Resource owner = resources.find(parent.get()).orElseThrow();
      View view = View.of(owner, users);
      return owner
          .array(array.get())
          .valueStream()
          .map(
              part ->
                  item(
                      list,
                      owner.id().child(array.get().member(), Embedded.name(part)),
                      view.part(array.get(), part)))
          .toList();
    }
    return resources.all().stream()
        .filter(resource -> belongs(list, resource.id()))
        .map(resource -> item(list, resource.id(), View.of(resource, users).whole()))
        .toList();
  }

  /** One entry per top-level resource, of all types. */
  public static List<Item> summaries(List<Resource> all, Optional<String> type) {
    return all.stream()
        .filter(resource -> resource.id().parent().isEmpty())
        .filter(resource -> type.isEmpty() || resource.id().type().equalsIgnoreCase(type.get()))
        .map(resource -> new Item(resource.id().path(), out -> out.writeTree(summary(resource))))
        .toList();
  }

  private static ObjectNode summary(Resource resource) {
    ObjectNode out = ArmJson.MAPPER.createObjectNode();
    out.put("id", resource.id().path()).put("name", resource.id().name());
    out.put("type", resource.id().type());
    int shown = resource.id().isBalancer() ? OF_BALANCERS : SUMMARY.size();
    ArmJson.copy(resource.document(), out, SUMMARY.subList(0, shown));
    return out;
  }

  /** Whether it is in the list; a scale set's interfaces are those of its instances. */
  private static boolean belongs(ResourceId list, ResourceId id) {
    Optional<ResourceId> parent = list.parent();
    boolean deep = parent.isPresent() && DEEP.contains(Names.fold(String.join("/", list.types())));
    return deep
        ? id.below(parent.get()) && id.types().getLast().equals(Machines.INTERFACES)
        : list.lists(id);
  }

  /** Load balancers of one group and their parts have names that differ; others go by their ids. */
  private static Item item(ResourceId list, ResourceId id, Content content) {
    boolean named = list.ofBalancers() && list.group().isPresent();
    return new Item(named ? id.name() : id.path(), content);
  }
}
