package io.poolkeeper.armsim.protocol;

import io.poolkeeper.model.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A path below a provider, cut into its parts: with as many names as types it is a resource, with
 * one name less a list.
 *
 * @param group the resource group; empty if the path begins at a subscription
 * @param types at least one
 */
record ResourceScope(
    String subscription,
    Optional<String> group,
    String namespace,
    List<String> types,
    List<String> names) {

  private static final int IN_SUBSCRIPTION = 2;
  private static final int IN_GROUP = 4;

  /** Parses decoded segments; empty without a provider's type. */
  static Optional<ResourceScope> parse(List<String> path) {
    if (path.size() <= IN_SUBSCRIPTION
        || !is(path, 0, "subscriptions")
        || path.stream().anyMatch(String::isBlank)) {
      return Optional.empty();
    }
    boolean grouped = is(path, IN_SUBSCRIPTION, "resourcegroups");
    int at = grouped ? IN_GROUP : IN_SUBSCRIPTION;
    if (path.size() <= at + 2 || !is(path, at, "providers")) {
      return Optional.empty();
    }
    List<String> types = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (int i = at + 2; i < path.size(); i++) {
      (types.size() == names.size() ? types : names).add(path.get(i));
    }
    // A second provider is an extension resource, which is not supported.
    return types.stream().anyMatch(type -> Names.fold(type).equals("providers"))
        ? Optional.empty()
        : Optional.of(
            new ResourceScope(
                path.get(1),
                grouped ? Optional.of(path.get(IN_SUBSCRIPTION + 1)) : Optional.empty(),
                path.get(at + 1),
                types,
                names));
  }

  Optional<ResourceId> resource() {
    return types.size() == names.size()
        ? Optional.of(new ResourceId(subscription, group, namespace, types, names))
        : Optional.empty();
  }

  Optional<ResourceList> list() {
    if (types.size() == names.size()) {
      return Optional.empty();
    }
    Optional<ResourceId> parent =
        names.isEmpty()
            ? Optional.empty()
            : Optional.of(
                new ResourceId(
                    subscription, group, namespace, types.subList(0, names.size()), names));
    return Optional.of(new ResourceList(subscription, group, namespace, parent, types.getLast()));
  }

  boolean isOfNetwork() {
    return namespace.equalsIgnoreCase("Microsoft.Network");
  }

  boolean isOfBalancer() {
    return isOfNetwork() && types.getFirst().equalsIgnoreCase("loadBalancers");
  }

  /** A list with one more element. */
  static List<String> and(List<String> texts, String more) {
    List<String> all = new ArrayList<>(texts);
    all.add(more);
    return all;
  }

  private static boolean is(List<String> path, int index, String folded) {
    return path.size() > index && Names.fold(path.get(index)).equals(folded);
  }
}
