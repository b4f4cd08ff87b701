package io.poolkeeper.armsim.protocol;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.Names;
import io.poolkeeper.model.PoolId;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What a path names. The fixed parts of a path are compared ignoring case. */
public sealed interface ArmPath {
  /** The parts of a load balancer that have routes of their own. */
  List<String> PARTS =
      List.of(
          "frontendIPConfigurations",
          ResourceId.POOLS,
          "loadBalancingRules",
          "probes",
          "inboundNatRules",
          "outboundRules");

  /** The POST actions of a load balancer and its parts. */
  List<String> ACTIONS =
      List.of(
          "migrateToIpBased",
          "loadBalancingRules/health",
          "backendAddressPools/queryInboundNatRulePortMapping");

  /** What a subscription has lists of. */
  Set<String> KINDS = Set.of("locations", "resourcegroups", "resources", "providers");

  record Tenants() implements ArmPath {}

  record Subscriptions() implements ArmPath {}

  record Subscription(String id) implements ArmPath {}

  /** Everything of one kind in a subscription: locations, resourcegroups, resources, providers. */
  record All(String subscription, String kind) implements ArmPath {}

  record Group(GroupId id) implements ArmPath {}

  /** Every top-level resource of a group. */
  record GroupResources(GroupId id) implements ArmPath {}

  record Provider(String subscription, String namespace) implements ArmPath {}

  record Registration(String subscription, String namespace) implements ArmPath {}

  /** Resources of one type, or the parts of one kind of a resource. */
  record Listing(ResourceId list) implements ArmPath {}

  /** A resource or a part of one; with types in Azure's spelling for a load balancer. */
  record One(ResourceId id) implements ArmPath {}

  record Action(ResourceId balancer, String name) implements ArmPath {}

  record OperationStatus(String id) implements ArmPath {}

  /** The result of a deletion. */
  record OperationResult(String id) implements ArmPath {}

  record Unknown() implements ArmPath {}

  /** The resource or the list that is named. */
  default Optional<ResourceId> resource() {
    return switch (this) {
      case One one -> Optional.of(one.id());
      case Listing listing -> Optional.of(listing.list());
      case Action action -> Optional.of(action.balancer());
      default -> Optional.empty();
    };
  }

  default boolean ofBalancers() {
    return resource().filter(ResourceId::ofBalancers).isPresent();
  }

  default boolean listsBalancers() {
    return this instanceof Listing some
        && some.list().ofBalancers()
        && some.list().names().isEmpty()
        && some.list().group().isPresent();
  }

  default Optional<LoadBalancerId> loadBalancer() {
    return resource().flatMap(ResourceId::balancer);
  }

  default Optional<PoolId> pool() {
    return this instanceof One one ? one.id().pool() : Optional.empty();
  }

  default Optional<GroupId> resourceGroup() {
    return switch (this) {
      case Group path -> Optional.of(path.id());
      case GroupResources path -> Optional.of(path.id());
      default -> resource().flatMap(ResourceId::groupId);
    };
  }

  default Optional<String> operation() {
    return switch (this) {
      case OperationStatus path -> Optional.of(path.id());
      case OperationResult path -> Optional.of(path.id());
      default -> Optional.empty();
    };
  }

  /** Reads a percent-encoded path without its query. */
  static ArmPath parse(String path) {
    return segments(path).map(ArmPath::of).orElseGet(Unknown::new);
  }

  /** The decoded parts of a path; empty if it is wrongly encoded or a part is blank. */
  static Optional<List<String>> segments(String path) {
    try {
      return Optional.of(
              Arrays.stream(path.split("/", -1))
                  .skip(1)
                  .map(segment -> URLDecoder.decode(segment, StandardCharsets.UTF_8))
                  .toList())
          .filter(segments -> segments.stream().noneMatch(String::isBlank));
    } catch (IllegalArgumentException wronglyEncoded) {
      return Optional.empty();
    }
  }

  private static ArmPath of(List<String> path) {
    List<String> fixed = path.stream().map(Names::fold).toList();
    if (fixed.equals(List.of("tenants"))) {
      return new Tenants();
    }
    if (fixed.isEmpty() || !fixed.getFirst().equals("subscriptions")) {
      return new Unknown();
    }
    return switch (path.size()) {
      case 1 -> new Subscriptions();
      case 2 -> new Subscription(path.get(1));
      case 3 -> KINDS.contains(fixed.get(2)) ? new All(path.get(1), fixed.get(2)) : new Unknown();
      case 4 -> ofSubscription(path.get(1), fixed.get(2), path.get(3));
      default -> deeper(path, fixed);
    };
  }

  private static ArmPath ofSubscription(String subscription, String collection, String name) {
    return switch (collection) {
      case "providers" -> new Provider(subscription, name);
      case "resourcegroups" -> new Group(new GroupId(subscription, name));
      // The deletion of a group: its id is not a guid and is case-sensitive.
      case "operationresults" -> new OperationResult(name);
      default -> new Unknown();
    };
  }

  private static ArmPath deeper(List<String> path, List<String> fixed) {
    return switch (path.size() == 5 ? fixed.get(2) + "/" + fixed.get(4) : "") {
      case "providers/register" -> new Registration(path.get(1), path.get(3));
      case "resourcegroups/resources" -> new GroupResources(new GroupId(path.get(1), path.get(3)));
      default -> ResourceId.parse(path).map(ArmPath::of).orElseGet(Unknown::new);
    };
  }

  private static ArmPath of(ResourceId id) {
    if (id.ofBalancers()) {
      return ofBalancers(id);
    }
    boolean located = id.group().isEmpty() && id.ofNetwork() && id.names().size() == 2;
    return switch (located ? Names.fold(String.join("/", id.types())) : "") {
      case "locations/operations" -> new OperationStatus(Names.fold(id.name()));
      case "locations/operationresults" -> new OperationResult(Names.fold(id.name()));
      default -> one(id);
    };
  }

  private static ArmPath ofBalancers(ResourceId id) {
    String tail = String.join("/", id.types().subList(1, id.types().size()));
    boolean grouped = id.group().isPresent();
    if (tail.isEmpty()) {
      return id.isList() || grouped ? one(id.asBalancer(List.of())) : new Unknown();
    }
    if (!grouped) {
      return new Unknown();
    }
    Optional<String> kind = PARTS.stream().filter(tail::equalsIgnoreCase).findFirst();
    if (kind.isPresent()) {
      return one(id.asBalancer(List.of(kind.get())));
    }
    return ACTIONS.stream()
        .filter(action -> id.isList() && tail.equalsIgnoreCase(action))
        .<ArmPath>map(
            action ->
                new Action(
                    id.top().asBalancer(List.of()), action.substring(action.lastIndexOf('/') + 1)))
        .findFirst()
        .orElseGet(Unknown::new);
  }

  private static ArmPath one(ResourceId id) {
    return id.isList() ? new Listing(id) : new One(id);
  }
}
