package io.poolkeeper.armsim.protocol;

import io.poolkeeper.model.Names;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The id of any resource of any provider. It keeps the case it was written in; two ids are equal if
 * they differ in case only. It has as many types as names: those of a child follow those of its
 * ancestors.
 *
 * @param group the resource group; empty for a resource directly in a subscription
 */
public record ResourceId(
    String subscription,
    Optional<String> group,
    String namespace,
    List<String> types,
    List<String> names) {

  private static final Pattern NAME = Pattern.compile("\\w(?:[\\w.\\-]{0,78}\\w)?");

  public ResourceId {
    types = List.copyOf(types);
    names = List.copyOf(names);
    if (types.isEmpty() || types.size() != names.size()) {
      throw new IllegalArgumentException("types " + types + " do not fit names " + names);
    }
  }

  /** Parses an id in a body; empty if the text is not a resource id. */
  public static Optional<ResourceId> parse(String text) {
    if (!text.startsWith("/")) {
      return Optional.empty();
    }
    List<String> path = Arrays.stream(text.split("/", -1)).skip(1).toList();
    return ResourceScope.parse(path).flatMap(ResourceScope::resource);
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

  /** The parent resource; empty for a top-level one. */
  public Optional<ResourceId> parent() {
    int size = types.size() - 1;
    return size == 0
        ? Optional.empty()
        : Optional.of(
            new ResourceId(
                subscription, group, namespace, types.subList(0, size), names.subList(0, size)));
  }

  public ResourceId child(String type, String name) {
    return new ResourceId(
        subscription,
        group,
        namespace,
        ResourceScope.and(types, type),
        ResourceScope.and(names, name));
  }

  public String path() {
    return root() + tail();
  }

  /** Refuses a name that is not valid for a part of the network provider's documents. */
  public static void checkName(String name) {
    if (!NAME.matcher(name).matches()) {
      throw ArmError.INVALID_NAME.refused(name);
    }
  }

  /** The refusal because there is no such resource. */
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

  /** Where the path of the resource's scope ends, its provider not included. */
  private String root() {
    return "/subscriptions/"
        + subscription
        + group.map(name -> "/resourceGroups/" + name).orElse("");
  }

  private String tail() {
    StringBuilder text = new StringBuilder("/providers/").append(namespace);
    for (int i = 0; i < types.size(); i++) {
      text.append('/').append(types.get(i)).append('/').append(names.get(i));
    }
    return text.toString();
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
