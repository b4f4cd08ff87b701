package io.poolkeeper.lab.armsim.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.lab.armsim.protocol.ArmJson;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.Names;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What clients wrote into a load balancer. Immutable; two equal contents make a PUT a no-op. A PUT
 * of the load balancer replaces all of it, its pools included.
 *
 * @param children all but the pools
 * @param pools by folded name, in the order of their creation
 * @param rules names of the load-balancing rules that send to a pool, by the pool's folded name
 * @param properties members of {@code properties} that the model does not know
 * @param others members beside {@code properties} that the model does not know, with tags and sku
 */
record LoadBalancerContent(
    String location,
    Map<ChildKind, List<Child>> children,
    Map<String, Pool> pools,
    Map<String, List<String>> rules,
    ObjectNode properties,
    ObjectNode others) {

  private static final Set<String> OWN =
      Set.of("name", "id", "etag", "type", "location", "properties");

  static LoadBalancerContent parse(LoadBalancerId id, JsonNode body) {
    Child.checkName(id.name());
    JsonNode properties = body.path("properties");
    Map<ChildKind, List<Child>> children = new EnumMap<>(ChildKind.class);
    Set<String> known = new LinkedHashSet<>(Set.of("provisioningState", "resourceGuid"));
    for (ChildKind kind : ChildKind.values()) {
      known.add(kind.member());
      if (kind != ChildKind.POOL) {
        children.put(kind, parse(id, kind, properties));
      }
    }
    ObjectNode others = ArmJson.without(body, OWN);
    if (!others.has("sku")) {
      others.putObject("sku").put("name", "Standard").put("tier", "Regional");
    }
    return new LoadBalancerContent(
        Child.location(body),
        Collections.unmodifiableMap(children),
        pools(id, properties.path(ChildKind.POOL.member())),
        rules(children.getOrDefault(ChildKind.RULE, List.of())),
        ArmJson.without(properties, known),
        others);
  }

  List<Child> children(ChildKind kind) {
    return children.getOrDefault(kind, List.of());
  }

  List<String> rulesOf(String pool) {
    return rules.getOrDefault(Names.fold(pool), List.of());
  }

  LoadBalancerContent with(Pool pool) {
    Map<String, Pool> next = new LinkedHashMap<>(pools);
    next.put(Names.fold(pool.name()), pool);
    return withPools(next);
  }

  LoadBalancerContent without(Pool pool) {
    Map<String, Pool> next = new LinkedHashMap<>(pools);
    next.remove(Names.fold(pool.name()));
    return withPools(next);
  }

  private LoadBalancerContent withPools(Map<String, Pool> next) {
    return new LoadBalancerContent(
        location, children, Collections.unmodifiableMap(next), rules, properties, others);
  }

  private static List<Child> parse(LoadBalancerId id, ChildKind kind, JsonNode properties) {
    JsonNode array = properties.path(kind.member());
    List<Child> parsed =
        Child.parseAll(id.path(), kind.member(), array, kind.readOnly(), kind.first());
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

  private static Map<String, Pool> pools(LoadBalancerId id, JsonNode array) {
    Map<String, Pool> pools = new LinkedHashMap<>();
    for (JsonNode item : Child.elements(ChildKind.POOL.member(), array)) {
      Pool pool = Pool.parse(id.path(), item.path("name").asText(""), item);
      if (pools.putIfAbsent(Names.fold(pool.name()), pool) != null) {
        throw Child.duplicate(id.path(), pool.name());
      }
    }
    return Collections.unmodifiableMap(pools);
  }

  private static Map<String, List<String>> rules(List<Child> rules) {
    Map<String, Set<String>> byPool = new LinkedHashMap<>();
    for (Child rule : rules) {
      referencedPools(rule.properties())
          .forEach(
              pool -> byPool.computeIfAbsent(pool, p -> new LinkedHashSet<>()).add(rule.name()));
    }
    Map<String, List<String>> result = new LinkedHashMap<>();
    byPool.forEach((pool, names) -> result.put(pool, List.copyOf(names)));
    return Collections.unmodifiableMap(result);
  }

  private static Stream<String> referencedPools(ObjectNode rule) {
    List<JsonNode> references = new ArrayList<>(List.of(rule.path("backendAddressPool")));
    rule.path("backendAddressPools").forEach(references::add);
    return references.stream()
        .map(reference -> reference.path("id").asText(""))
        .filter(id -> !id.isEmpty())
        .map(id -> Names.fold(id.substring(id.lastIndexOf('/') + 1)));
  }
}
