package io.poolkeeper.armsim.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ArmError;
import io.poolkeeper.armsim.protocol.GroupId;
import io.poolkeeper.armsim.protocol.Refused;
import io.poolkeeper.armsim.protocol.ResourceId;
import io.poolkeeper.model.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The store of all resources but load balancers, at most {@value #LIMIT}. Confined to one thread;
 * its results are immutable. Embedded children are stored in their parent's document only. It
 * reports to its {@link BalancerLinks} when network interfaces join or leave backend pools.
 */
public final class Resources {
  private static final int LIMIT = 100_000;

  private final Supplier<String> guids;
  private final BalancerLinks balancers;
  private final NavigableMap<String, Resource> byKey = new TreeMap<>();
  private final Addresses addresses = new Addresses();

  /** Creates an empty store; each of the guids is unique. */
  public Resources(Supplier<String> guids, BalancerLinks balancers) {
    this.guids = guids;
    this.balancers = balancers;
  }

  /** Whether the id, in any case, names a resource of the store or a part of one. */
  public boolean contains(String resourceId) {
    return ResourceId.parse(resourceId).map(this::contains).orElse(false);
  }

  public boolean contains(ResourceId id) {
    return find(id).isPresent() || part(id).isPresent();
  }

  /** Whether the id's group holds any resource of the id's top-level type. */
  public boolean holdsAnyLike(ResourceId id) {
    ResourceId top = top(id);
    String prefix = top.key().substring(0, top.key().lastIndexOf('/') + 1);
    return !byKey.subMap(prefix, prefix + Character.MAX_VALUE).isEmpty();
  }

  private static ResourceId top(ResourceId id) {
    return id.parent().map(Resources::top).orElse(id);
  }

  /** A resource with a document of its own. */
  public Optional<Resource> find(ResourceId id) {
    return Optional.ofNullable(byKey.get(id.key()));
  }

  /** All resources, ordered by their ids. */
  public List<Resource> all() {
    return List.copyOf(byKey.values());
  }

  /** All top-level resources of a group, ordered by their ids. */
  public List<Resource> in(GroupId group) {
    return below(Names.fold(group.path()) + "/providers/");
  }

  /** Replaces everything, without reports to the load balancers. */
  public void restore(List<Resource> resources) {
    byKey.clear();
    addresses.clear();
    for (Resource resource : resources) {
      byKey.put(resource.id().key(), resource);
      if (isInterface(resource)) {
        NetworkInterface.addresses(resource, addresses::use);
      }
    }
  }

  public void removeAll(GroupId group) {
    in(group).forEach(this::drop);
  }

  /** Ends an operation on a resource, unless a later one has taken its place. */
  public void complete(ResourceId id, String operation) {
    find(id)
        .filter(resource -> resource.running().equals(Optional.of(operation)))
        .ifPresent(
            resource ->
                store(resource.with(Shapes.complete(resource, this), etag(), Optional.empty())));
  }

  /** The element of its parent's document that the id names. */
  Optional<JsonNode> part(ResourceId id) {
    Optional<Embedded> array = Embedded.holding(id);
    return array.isEmpty()
        ? Optional.empty()
        : id.parent()
            .flatMap(this::find)
            .flatMap(
                owner -> owner.array(array.get()).valueStream().filter(e -> is(e, id)).findFirst());
  }

  /** The same; refused if there is none. */
  JsonNode element(ResourceId id) {
    return part(id).orElseThrow(() -> ArmError.PART_NOT_FOUND.refused(id.path()));
  }

  static Refused noParent(ResourceId parent, String type, String action) {
    String tail = type.substring(type.indexOf('/') + 1);
    return ArmError.NO_PARENT.refused(action, tail, parent.path());
  }

  static boolean is(JsonNode element, ResourceId id) {
    return element.path("name").asText("").equalsIgnoreCase(id.name());
  }

  /** Whether a reference exists, here or among the load balancers. */
  boolean exists(ResourceId id) {
    return contains(id) || balancers.contains(id);
  }

  Views views(String type) {
    return new Views(users(type));
  }

  Users users(String type) {
    return Users.of(type, byKey.values(), balancers);
  }

  List<Resource> children(ResourceId parent, String type) {
    int depth = parent.types().size() + 1;
    return below(parent.key() + "/" + Names.fold(type) + "/").stream()
        .filter(child -> child.id().types().size() == depth)
        .toList();
  }

  Resource made(ResourceId id, ObjectNode document) {
    return new Resource(id, guid(), etag(), Optional.empty(), document);
  }

  void store(Resource resource) {
    if (byKey.size() >= LIMIT && !byKey.containsKey(resource.id().key())) {
      throw ArmError.TOO_MANY_RESOURCES.refused(LIMIT);
    }
    if (isInterface(resource)) {
      // A pool may refuse it, before anything has changed.
      moved(find(resource.id()), Optional.of(resource));
    }
    byKey.put(resource.id().key(), resource);
  }

  /** Removes a resource and everything below it. */
  void remove(Resource resource) {
    below(resource.id().key() + "/").forEach(this::drop);
    drop(resource);
  }

  String guid() {
    return guids.get();
  }

  String etag() {
    return Resource.etagOf(guids.get());
  }

  Addresses addresses() {
    return addresses;
  }

  Set<String> publicAddresses() {
    return byKey.values().stream()
        .filter(resource -> resource.id().type().equals(PublicAddress.TYPE))
        .map(PublicAddress::address)
        .collect(Collectors.toSet());
  }

  /** The address range of a subnet; empty if there is none of the family. */
  Optional<String> prefix(String subnet, boolean six) {
    Optional<JsonNode> properties =
        ResourceId.parse(subnet).flatMap(this::part).map(part -> part.path("properties"));
    List<String> prefixes = new ArrayList<>();
    properties.ifPresent(
        known -> {
          prefixes.add(known.path("addressPrefix").asText(""));
          known.path("addressPrefixes").forEach(prefix -> prefixes.add(prefix.asText("")));
        });
    return prefixes.stream()
        .filter(prefix -> !prefix.isEmpty() && prefix.contains(":") == six)
        .findFirst();
  }

  private List<Resource> below(String prefix) {
    return List.copyOf(byKey.subMap(prefix, prefix + Character.MAX_VALUE).values());
  }

  private void drop(Resource resource) {
    byKey.remove(resource.id().key());
    if (isInterface(resource)) {
      moved(Optional.of(resource), Optional.empty());
    }
  }

  private void moved(Optional<Resource> before, Optional<Resource> after) {
    List<PoolMembership> left = before.map(NetworkInterface::memberships).orElse(List.of());
    List<PoolMembership> joined = after.map(NetworkInterface::memberships).orElse(List.of());
    if (!left.equals(joined)) {
      balancers.moved(
          left.stream().filter(membership -> !joined.contains(membership)).toList(),
          joined.stream().filter(membership -> !left.contains(membership)).toList());
    }
    before.ifPresent(nic -> NetworkInterface.addresses(nic, addresses::release));
    after.ifPresent(nic -> NetworkInterface.addresses(nic, addresses::use));
  }

  private static boolean isInterface(Resource resource) {
    return Embedded.of(resource.id()).contains(Embedded.IP_CONFIGURATIONS);
  }
}
