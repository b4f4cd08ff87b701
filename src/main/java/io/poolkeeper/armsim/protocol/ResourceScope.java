package io.poolkeeper.armsim.protocol;

import io.poolkeeper.model.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A path below a provider, cut into its parts: with as many names as types it is a resource, with
 * one name less a list of all resources of one type in a group, in a subscription, or below one
 * resource.
 *
 * @param group the resource group; empty if the path begins at a subscription
 * @param types at least one
 */
public record ResourceScope(
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

  public Optional<GroupId> groupId() {
    return group.map(name -> new GroupId(subscription, name));
  }

  /** The last part of the type. */
  public String type() {
    return types.getLast();
  }

  /** The full type, such as {@code Microsoft.Network/virtualNetworks/subnets}. */
  public String fullType() {
    return namespace + "/" + String.join("/", types);
  }

  /** The resource whose children a list has; empty for top-level ones. */
  public Optional<ResourceId> parent() {
    List<String> above = types.subList(0, types.size() - 1);
    return above.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new ResourceId(subscription, group, namespace, above, names.subList(0, above.size())));
  }

  public boolean contains(ResourceId id) {
    return id.type().equalsIgnoreCase(fullType())
        && id.subscription().equalsIgnoreCase(subscription)
        && group.map(Names::fold).map(id.group().map(Names::fold).orElse("")::equals).orElse(true)
        && (parent().isEmpty() || id.parent().equals(parent()));
  }

  boolean isOfNetwork() {
    return namespace.equalsIgnoreCase("Microsoft.Network");
  }

  boolean isOfBalancer() {
    return isOfNetwork() && types.getFirst().equalsIgnoreCase("loadBalancers");
  }

  static List<String> and(List<String> texts, String more) {
    List<String> all = new ArrayList<>(texts);
    all.add(more);
    return all;
  }

  private static boolean is(List<String> path, int index, String folded) {
    return path.size() > index && Names.fold(path.get(index)).equals(folded);
  }
}
