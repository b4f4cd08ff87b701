package io.poolkeeper.armsim.protocol;

import io.poolkeeper.model.Names;
import java.util.List;
import java.util.Optional;

/**
 * Paths that are neither about load balancers nor about operations: subscriptions, providers, lists
 * of groups, and every resource of another type. Fixed parts are compared ignoring case.
 */
public sealed interface GeneralPath {
  /** A path outside of any resource group. */
  sealed interface Ungrouped extends GeneralPath {}

  record Tenants() implements Ungrouped {}

  record Subscriptions() implements Ungrouped {}

  record Subscription(String id) implements Ungrouped {}

  /** The regions that a subscription may use. */
  record Locations(String subscription) implements Ungrouped {}

  record Groups(String subscription) implements Ungrouped {}

  /** Every top-level resource of a subscription. */
  record AllResources(String subscription) implements Ungrouped {}

  /** Every top-level resource of a group. */
  record GroupResources(GroupId id) implements GeneralPath {}

  record Providers(String subscription) implements Ungrouped {}

  /** A provider, by its namespace. */
  record Provider(String subscription, String namespace) implements Ungrouped {}

  record Registration(String subscription, String namespace) implements Ungrouped {}

  /** Resources of one type. */
  record Listing(ResourceScope list) implements GeneralPath {}

  record Resource(ResourceId id) implements GeneralPath {}

  /** Reads decoded segments; empty if they are of no known form. */
  static Optional<GeneralPath> parse(List<String> path) {
    List<String> fixed = path.stream().map(Names::fold).toList();
    if (fixed.equals(List.of("tenants"))) {
      return Optional.of(new Tenants());
    }
    if (fixed.isEmpty() || !fixed.getFirst().equals("subscriptions")) {
      return Optional.empty();
    }
    return switch (path.size()) {
      case 1 -> Optional.of(new Subscriptions());
      case 2 -> Optional.of(new Subscription(path.get(1)));
      case 3 -> ofSubscription(path.get(1), fixed.get(2));
      default -> deeper(path, fixed);
    };
  }

  private static Optional<GeneralPath> ofSubscription(String subscription, String collection) {
    return switch (collection) {
      case "locations" -> Optional.of(new Locations(subscription));
      case "resourcegroups" -> Optional.of(new Groups(subscription));
      case "resources" -> Optional.of(new AllResources(subscription));
      case "providers" -> Optional.of(new Providers(subscription));
      default -> Optional.empty();
    };
  }

  private static Optional<GeneralPath> deeper(List<String> path, List<String> fixed) {
    boolean provider = fixed.get(2).equals("providers");
    if (provider && path.size() == 4) {
      return Optional.of(new Provider(path.get(1), path.get(3)));
    }
    if (provider && path.size() == 5 && fixed.get(4).equals("register")) {
      return Optional.of(new Registration(path.get(1), path.get(3)));
    }
    if (path.size() == 5
        && fixed.get(2).equals("resourcegroups")
        && fixed.get(4).equals("resources")) {
      return Optional.of(new GroupResources(new GroupId(path.get(1), path.get(3))));
    }
    // Load balancers have paths and a model of their own.
    return ResourceScope.parse(path)
        .filter(scope -> !scope.isOfBalancer())
        .map(
            scope ->
                scope
                    .resource()
                    .<GeneralPath>map(Resource::new)
                    .orElseGet(() -> new Listing(scope)));
  }

  default Optional<GroupId> group() {
    return switch (this) {
      case GroupResources path -> Optional.of(path.id());
      case Listing path -> path.list().groupId();
      case Resource path -> path.id().groupId();
      case Ungrouped path -> Optional.empty();
    };
  }
}
