package io.poolkeeper.armsim.protocol;

import io.poolkeeper.model.Names;
import java.util.Optional;

/**
 * All resources of one type in a resource group, in a subscription, or below one resource.
 *
 * @param group empty for the list of a whole subscription
 * @param parent the resource whose children are meant; empty for top-level ones
 * @param type the last part of the type
 */
public record ResourceList(
    String subscription,
    Optional<String> group,
    String namespace,
    Optional<ResourceId> parent,
    String type) {

  /** The full type, such as {@code Microsoft.Network/virtualNetworks/subnets}. */
  public String fullType() {
    return parent.map(ResourceId::type).orElse(namespace) + "/" + type;
  }

  public Optional<GroupId> groupId() {
    return group.map(name -> new GroupId(subscription, name));
  }

  /** Whether the resource belongs in the list. */
  public boolean contains(ResourceId id) {
    return id.type().equalsIgnoreCase(fullType())
        && id.subscription().equalsIgnoreCase(subscription)
        && group.map(Names::fold).map(id.group().map(Names::fold).orElse("")::equals).orElse(true)
        && (parent.isEmpty() || id.parent().equals(parent));
  }
}
