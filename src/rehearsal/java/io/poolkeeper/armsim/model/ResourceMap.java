package io.poolkeeper.armsim.model;

import io.poolkeeper.armsim.protocol.ResourceId;
import io.poolkeeper.model.LoadBalancerId;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import scala.collection.immutable.TreeMap;
import scala.collection.immutable.TreeMap$;
import scala.jdk.javaapi.CollectionConverters;
import scala.math.Ordering$;

/**
 * Resources in the order of their ids. Immutable and persistent: a snapshot costs nothing, and a
 * change costs about the same for any number of resources.
 */
public record ResourceMap(TreeMap<String, Resource> byKey) {
  public static ResourceMap empty() {
    return new ResourceMap(
        TreeMap$.MODULE$.empty(
            Ordering$.MODULE$.comparatorToOrdering(Comparator.<String>naturalOrder())));
  }

  public Collection<Resource> all() {
    return CollectionConverters.asJava(byKey).values();
  }

  public Optional<Resource> find(ResourceId id) {
    return Optional.ofNullable(CollectionConverters.asJava(byKey).get(id.key()));
  }

  public Optional<LoadBalancer> balancer(LoadBalancerId id) {
    return find(ResourceId.of(id)).map(LoadBalancer::new);
  }

  public List<LoadBalancer> balancers() {
    return all().stream()
        .filter(resource -> resource.id().isBalancer())
        .map(LoadBalancer::new)
        .toList();
  }

  List<Resource> below(String prefix) {
    var range = byKey.range(prefix, prefix + Character.MAX_VALUE);
    return List.copyOf(CollectionConverters.asJava(range).values());
  }

  ResourceMap with(Resource resource) {
    return new ResourceMap(byKey.updated(resource.id().key(), resource));
  }

  ResourceMap without(Resource resource) {
    return new ResourceMap(byKey.removed(resource.id().key()));
  }

  /** What a load balancer holds. */
  public record LoadBalancer(Resource resource) {
    public LoadBalancerId id() {
      return resource.id().balancer().orElseThrow();
    }

    public Optional<List<PoolMember>> members(String pool) {
      return resource.part(Embedded.POOLS, pool).map(PoolMember::of);
    }

    public List<String> poolNames() {
      return resource.array(Embedded.POOLS).valueStream().map(Embedded::name).toList();
    }
  }
}
