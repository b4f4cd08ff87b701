package io.poolkeeper.armsim.protocol;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.Names;
import io.poolkeeper.model.PoolId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The id of any resource of any provider. It keeps the case it was written in; two ids are equal if
 * they differ in case only. It has as many types as names: those of a child follow those of its
 * ancestors. With one name less it is a list of all resources of one type in a group, in a
 * subscription, or below one resource.
 *
 * @param group the resource group; empty for a resource directly in a subscription
 */
public record ResourceId(
    String subscription,
    Optional<String> group,
    String namespace,
    List<String> types,
    List<String> names) {

  public static final String POOLS = "backendAddressPools";

  private static final String NETWORK = "Microsoft.Network";
  private static final String BALANCERS = "loadBalancers";
  private static final Pattern NAME = Pattern.compile("\\w(?:[\\w.\\-]{0,78}\\w)?");
  private static final int IN_SUBSCRIPTION = 2;
  private static final int IN_GROUP = 4;

  public ResourceId {
    types = List.copyOf(types);
    names = List.copyOf(names);
    int unnamed = types.size() - names.size();
    if (types.isEmpty() || unnamed < 0 || unnamed > 1) {
      throw new IllegalArgumentException("types " + types + " do not fit names " + names);
    }
  }

  /** Parses an id in a body; empty if the text is not a resource id. */
  public static Optional<ResourceId> parse(String text) {
    return text.startsWith("/")
        ? parse(Arrays.stream(text.split("/", -1)).skip(1).toList()).filter(id -> !id.isList())
        : Optional.empty();
  }

  /** Parses decoded segments; empty without a provider's type. */
  static Optional<ResourceId> parse(List<String> path) {
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
    Optional<String> group = grouped ? Optional.of(path.get(IN_GROUP - 1)) : Optional.empty();
    // A second provider is an extension resource, which is not supported.
    return types.stream().anyMatch("providers"::equalsIgnoreCase)
        ? Optional.empty()
        : Optional.of(new ResourceId(path.get(1), group, path.get(at + 1), types, names));
  }

  public static ResourceId of(LoadBalancerId id) {
    return new ResourceId(
        id.subscription(),
        Optional.of(id.resourceGroup()),
        NETWORK,
        List.of(BALANCERS),
        List.of(id.name()));
  }

  public static ResourceId of(PoolId id) {
    return of(id.loadBalancer()).child(POOLS, id.name());
  }

  public boolean isList() {
    return types.size() > names.size();
  }

  public boolean ofNetwork() {
    return namespace.equalsIgnoreCase(NETWORK);
  }

  /** Whether it is about load balancers or parts of them. */
  public boolean ofBalancers() {
    return ofNetwork() && types.getFirst().equalsIgnoreCase(BALANCERS);
  }

  /** Whether it is a load balancer as a whole. */
  public boolean isBalancer() {
    return ofBalancers() && types.size() == 1 && !isList();
  }

  /** The load balancer that it is, or is a part of, or whose parts it lists. */
  public Optional<LoadBalancerId> balancer() {
    return group
        .filter(name -> ofBalancers() && !names.isEmpty())
        .map(name -> new LoadBalancerId(subscription, name, names.getFirst()));
  }

  public Optional<PoolId> pool() {
    return balancer()
        .filter(id -> !isList() && types.size() == 2 && types.getLast().equalsIgnoreCase(POOLS))
        .map(id -> id.pool(name()));
  }

  /** The full type, such as {@code Microsoft.Network/virtualNetworks/subnets}. */
  public String type() {
    return namespace + "/" + String.join("/", types);
  }

  public String name() {
    return names.getLast();
  }

  public Optional<GroupId> groupId() {
    return group.map(name -> new GroupId(subscription, name));
  }

  /** The same resource in a group of another spelling. */
  public ResourceId in(GroupId other) {
    return new ResourceId(other.subscription(), Optional.of(other.name()), namespace, types, names);
  }

  /** The same with the provider and its types in another spelling. */
  public ResourceId spelled(String provider, List<String> as) {
    return new ResourceId(subscription, group, provider, as, names);
  }

  /** The same in Azure's spelling; of a load balancer's part with that of its kind. */
  ResourceId asBalancer(List<String> kind) {
    return spelled(NETWORK, Stream.concat(Stream.of(BALANCERS), kind.stream()).toList());
  }

  public Optional<ResourceId> parent() {
    int size = types.size() - 1;
    return size == 0 ? Optional.empty() : Optional.of(cut(size));
  }

  public ResourceId top() {
    return cut(1);
  }

  private ResourceId cut(int size) {
    return new ResourceId(
        subscription,
        group,
        namespace,
        types.subList(0, size),
        names.subList(0, Math.min(size, names.size())));
  }

  public ResourceId child(String type, String name) {
    return new ResourceId(subscription, group, namespace, and(types, type), and(names, name));
  }

  private static List<String> and(List<String> texts, String more) {
    return Stream.concat(texts.stream(), Stream.of(more)).toList();
  }

  public boolean lists(ResourceId id) {
    return id.type().equalsIgnoreCase(type())
        && id.subscription.equalsIgnoreCase(subscription)
        && (group.isEmpty() || id.groupId().equals(groupId()))
        && (parent().isEmpty() || id.parent().equals(parent()));
  }

  public String path() {
    StringBuilder text = new StringBuilder("/subscriptions/").append(subscription);
    group.ifPresent(name -> text.append("/resourceGroups/").append(name));
    text.append("/providers/").append(namespace);
    for (int i = 0; i < types.size(); i++) {
      text.append('/').append(types.get(i));
      if (i < names.size()) {
        text.append('/').append(names.get(i));
      }
    }
    return text.toString();
  }

  /** Refuses a name that is not valid for a part of the network provider's documents. */
  public static void checkName(String name) {
    if (!NAME.matcher(name).matches()) {
      throw ArmError.INVALID_NAME.refused(name);
    }
  }

  public Refused notFound() {
    String scope =
        group
            .map(name -> "resource group '" + name + "'")
            .orElse("subscription '" + subscription + "'");
    return ArmError.RESOURCE_NOT_FOUND.refused(type() + "/" + String.join("/", names), scope);
  }

  /** The normal form, shared by equal ids. */
  public String key() {
    return Names.fold(path());
  }

  public boolean below(ResourceId other) {
    return types.size() > other.types.size() && key().startsWith(other.key() + "/");
  }

  private static boolean is(List<String> path, int index, String folded) {
    return path.size() > index && Names.fold(path.get(index)).equals(folded);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ResourceId id && key().equals(id.key());
  }

  @Override
  public int hashCode() {
    return key().hashCode();
  }

  @Override
  public String toString() {
    return path();
  }
}
