package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ArmError;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.armsim.protocol.ResourceId;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.Names;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The clients' part of a load balancer. Immutable; a PUT of equal content is a no-op. A PUT of the
 * load balancer replaces all of it, its pools included, but for their addresses: see {@link
 * ParentAddresses}.
 *
 * @param children all but the pools
 * @param references derived from the children
 * @param properties members of {@code properties} that the model does not know
 * @param others members beside {@code properties} that the model does not know, with tags and sku
 */
record LoadBalancerContent(
    String location,
    Map<ChildKind, List<Child>> children,
    OrderedMap<String, Pool> pools,
    BackReferences references,
    ObjectNode properties,
    ObjectNode others) {

  private static final Set<String> OWN =
      Set.of("name", "id", "etag", "type", "location", "properties");

  /** Reads the content in a state file. */
  static LoadBalancerContent parse(LoadBalancerId id, JsonNode body) {
    return parse(Reading.stored(id), body);
  }

  static LoadBalancerContent parse(Reading reading, JsonNode body) {
    LoadBalancerId id = reading.id();
    ResourceId.checkName(id.name());
    Shape.TEXT.require("name", body.path("name"));
    tags(body);
    Shape.OBJECT.require("properties", body.path("properties"));
    JsonNode properties = body.path("properties");
    Map<ChildKind, List<Child>> children = new EnumMap<>(ChildKind.class);
    Set<String> known = new LinkedHashSet<>(Set.of("provisioningState", "resourceGuid"));
    for (ChildKind kind : ChildKind.values()) {
      known.add(kind.member());
      if (kind != ChildKind.POOL) {
        children.put(kind, parse(reading, kind, properties));
      }
    }
    var content =
        new LoadBalancerContent(
            Child.location(body),
            Collections.unmodifiableMap(children),
            pools(reading, properties.path(ChildKind.POOL.member())),
            BackReferences.of(id, children),
            ArmJson.without(properties, known),
            Sku.settled(reading, ArmJson.without(body, OWN)));
    new BalancerRules(reading, content).check();
    return content;
  }

  List<Child> children(ChildKind kind) {
    return children.getOrDefault(kind, List.of());
  }

  Collection<Pool> allPools() {
    return pools.asMap().values();
  }

  Optional<Pool> pool(String name) {
    return pools.find(Names.fold(name));
  }

  Optional<Child> child(ChildKind kind, String name) {
    return children(kind).stream()
        .filter(child -> Names.fold(child.name()).equals(Names.fold(name)))
        .findFirst();
  }

  LoadBalancerContent with(Pool pool) {
    return withPools(pools.with(Names.fold(pool.name()), pool));
  }

  /** Its pools with the addresses that they had before; NICs join and leave by themselves. */
  LoadBalancerContent withAddressesOf(Optional<LoadBalancerContent> before) {
    OrderedMap<String, Pool> next = OrderedMap.empty();
    for (Pool pool : allPools()) {
      Optional<Pool> old = before.flatMap(content -> content.pool(pool.name()));
      List<Child> entries = old.map(Pool::entries).orElse(List.of());
      Pool kept = pool.nicBased() ? pool : new Pool(pool.self(), entries);
      next = next.with(Names.fold(pool.name()), kept);
    }
    return withPools(next);
  }

  LoadBalancerContent without(Pool pool) {
    return withPools(pools.without(Names.fold(pool.name())));
  }

  /** With a part that replaces the one of the same name, or is appended. */
  LoadBalancerContent with(LoadBalancerId id, ChildKind kind, Child child) {
    List<Child> next = new ArrayList<>(children(kind));
    Optional<Child> old = child(kind, child.name());
    old.ifPresentOrElse(there -> next.set(next.indexOf(there), child), () -> next.add(child));
    return withChildren(id, kind, next);
  }

  LoadBalancerContent without(LoadBalancerId id, ChildKind kind, Child child) {
    List<Child> next = new ArrayList<>(children(kind));
    next.remove(child);
    return withChildren(id, kind, next);
  }

  LoadBalancerContent withTags(ObjectNode tags) {
    ObjectNode next = others.deepCopy();
    next.set("tags", tags);
    return new LoadBalancerContent(location, children, pools, references, properties, next);
  }

  private LoadBalancerContent withChildren(
      LoadBalancerId id, ChildKind kind, List<Child> replacement) {
    Map<ChildKind, List<Child>> next = new EnumMap<>(children);
    next.put(kind, List.copyOf(replacement));
    return new LoadBalancerContent(
        location,
        Collections.unmodifiableMap(next),
        pools,
        BackReferences.of(id, next),
        properties,
        others);
  }

  private LoadBalancerContent withPools(OrderedMap<String, Pool> next) {
    return new LoadBalancerContent(location, children, next, references, properties, others);
  }

  private static List<Child> parse(Reading reading, ChildKind kind, JsonNode properties) {
    String parent = reading.id().path();
    JsonNode array = properties.path(kind.member());
    kind.checkCount(reading.id(), array.size());
    List<Child> parsed =
        Child.parseAll(parent, kind.member(), array, kind.readOnly(), kind.first());
    return kind == ChildKind.FRONTEND
        ? parsed.stream().map(LoadBalancerContent::withAllocation).toList()
        : parsed;
  }

  private static Child withAllocation(Child frontend) {
    String allocation = "privateIPAllocationMethod";
    if (frontend.properties().has(allocation)) {
      return frontend;
    }
    ObjectNode body = ArmJson.MAPPER.createObjectNode();
    body.putObject("properties")
        .put(allocation, "Dynamic")
        .setAll(frontend.properties().deepCopy());
    body.setAll(frontend.others());
    return Child.parse(frontend.name(), body, Set.of(), ChildKind.FRONTEND.first());
  }

  private static OrderedMap<String, Pool> pools(Reading reading, JsonNode array) {
    OrderedMap<String, Pool> pools = OrderedMap.empty();
    for (JsonNode item : ArmJson.objects(ChildKind.POOL.member(), array)) {
      String name = Child.name(item);
      if (pools.find(Names.fold(name)).isPresent()) {
        throw ArmError.DUPLICATE_NAME.refused(reading.id().path(), name);
      }
      pools = pools.with(Names.fold(name), Pool.parse(reading, name, item));
    }
    return pools;
  }

  /** The tags in a body, if it has any: texts by name, replaced as a whole. */
  static Optional<ObjectNode> tags(JsonNode body) {
    JsonNode tags = body.path("tags");
    Shape.OBJECT.require("tags", tags);
    tags.properties().forEach(tag -> Shape.TEXT.require("tags." + tag.getKey(), tag.getValue()));
    return tags.isObject() ? Optional.of(ArmJson.without(tags, Set.of())) : Optional.empty();
  }
}
