package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.model.NicMembers.PoolMembership;
import io.poolkeeper.armsim.protocol.ArmError;
import io.poolkeeper.armsim.protocol.GroupId;
import io.poolkeeper.armsim.protocol.Refused;
import io.poolkeeper.armsim.protocol.ResourceId;
import io.poolkeeper.model.Names;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The store of all resources, at most {@value #LIMIT}. Confined to one thread; its results are
 * immutable. Embedded children are stored in their parent's document only. Network interfaces join
 * and leave the pools of load balancers when they are stored.
 */
public final class Resources {
  private static final int LIMIT = 100_000;

  private final Supplier<String> guids;
  private final Addresses addresses = new Addresses();
  private ResourceMap map = ResourceMap.empty();

  public Resources(Supplier<String> guids) {
    this.guids = guids;
  }

  /** Whether it is a resource of the store or a part of one. */
  boolean contains(ResourceId id) {
    return find(id).isPresent() || part(id).isPresent();
  }

  /**
   * Whether a virtual network or subnet may be referenced. In a group without any network every
   * name is accepted.
   */
  public boolean knowsNetwork(ResourceId id) {
    String top = id.top().key();
    return contains(id) || map.below(top.substring(0, top.lastIndexOf('/') + 1)).isEmpty();
  }

  public Optional<Resource> find(ResourceId id) {
    return map.find(id);
  }

  public Collection<Resource> all() {
    return map.all();
  }

  public ResourceMap map() {
    return map;
  }

  /** All resources of a group, ordered by their ids. */
  public List<Resource> in(GroupId group) {
    return map.below(Names.fold(group.path()) + "/providers/");
  }

  /** Replaces everything; the pools hold their interfaces already. */
  public void restore(List<Resource> resources) {
    map = ResourceMap.empty();
    addresses.clear();
    for (Resource resource : resources) {
      map = map.with(resource);
      if (isInterface(resource)) {
        NetworkInterface.addresses(resource, addresses::use);
      }
    }
  }

  public void removeAll(GroupId group) {
    removeAll(in(group));
  }

  /**
   * Ends an operation on a resource, unless a later one has taken its place.
   *
   * @param moves whether the etag changes
   */
  void complete(ResourceId id, String operation, boolean badly, boolean moves) {
    find(id)
        .filter(resource -> resource.running().equals(Optional.of(operation)))
        .ifPresent(
            resource ->
                store(
                    resource.ended(
                        Shapes.complete(resource, this),
                        moves ? etag() : resource.etag(),
                        badly && id.isBalancer())));
  }

  /** Changes a load balancer without an operation: its etag changes, and its state stays. */
  public Resource touch(Resource balancer, ObjectNode document) {
    Resource after = balancer.with(document, etag(), balancer.running());
    store(after);
    return after;
  }

  /** The element of its parent's document that the id names. */
  Optional<JsonNode> part(ResourceId id) {
    return Embedded.holding(id)
        .flatMap(
            array ->
                id.parent().flatMap(this::find).flatMap(owner -> owner.part(array, id.name())));
  }

  JsonNode element(ResourceId id) {
    return part(id).orElseThrow(() -> ArmError.PART_NOT_FOUND.refused(id.path()));
  }

  static Refused noParent(ResourceId parent, String type, String action) {
    String tail = type.substring(type.indexOf('/') + 1);
    return ArmError.NO_PARENT.refused(action, tail, parent.path());
  }

  View view(Resource resource) {
    return View.of(resource, users(resource.id().type()));
  }

  Users users(String type) {
    return Users.of(type, all());
  }

  List<Resource> children(ResourceId parent, String type) {
    int depth = parent.types().size() + 1;
    return map.below(parent.key() + "/" + Names.fold(type) + "/").stream()
        .filter(child -> child.id().types().size() == depth)
        .toList();
  }

  public Resource made(ResourceId id, ObjectNode document) {
    return new Resource(id, guid(), etag(), Optional.empty(), Optional.empty(), false, document);
  }

  public void store(Resource resource) {
    if (map.byKey().size() >= LIMIT && find(resource.id()).isEmpty()) {
      throw ArmError.TOO_MANY_RESOURCES.refused(LIMIT);
    }
    if (isInterface(resource)) {
      // A pool may refuse it, before anything has changed.
      moved(find(resource.id()), Optional.of(resource));
    }
    map = map.with(resource);
  }

  public void remove(Resource resource) {
    removeAll(map.below(resource.id().key() + "/"));
    removeAll(List.of(resource));
  }

  private void removeAll(List<Resource> gone) {
    gone.forEach(resource -> map = map.without(resource));
    gone.stream()
        .filter(Resources::isInterface)
        .forEach(nic -> moved(Optional.of(nic), Optional.empty()));
  }

  public String guid() {
    return guids.get();
  }

  public String etag() {
    return Resource.etagOf(guids.get());
  }

  Addresses addresses() {
    return addresses;
  }

  Set<String> publicAddresses() {
    return all().stream()
        .filter(resource -> resource.id().type().equals(PublicAddress.TYPE))
        .map(address -> address.properties().path(PublicAddress.ADDRESS).asText(""))
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

  /** The address ranges of the virtual network that an id names or is in; none if it is unknown. */
  List<String> prefixes(String network) {
    return ResourceId.parse(network).map(ResourceId::top).flatMap(this::find).stream()
        .flatMap(known -> known.properties().at("/addressSpace/addressPrefixes").valueStream())
        .map(prefix -> prefix.asText(""))
        .toList();
  }

  private void moved(Optional<Resource> before, Optional<Resource> after) {
    List<PoolMembership> left = before.map(NetworkInterface::memberships).orElse(List.of());
    List<PoolMembership> joined = after.map(NetworkInterface::memberships).orElse(List.of());
    if (!left.equals(joined)) {
      NicMembers.move(
          left.stream().filter(membership -> !joined.contains(membership)).toList(),
          joined.stream().filter(membership -> !left.contains(membership)).toList(),
          this);
    }
    before.ifPresent(nic -> NetworkInterface.addresses(nic, addresses::release));
    after.ifPresent(nic -> NetworkInterface.addresses(nic, addresses::use));
  }

  private static boolean isInterface(Resource resource) {
    return Embedded.of(resource.id()).contains(Embedded.IP_CONFIGURATIONS);
  }
}
