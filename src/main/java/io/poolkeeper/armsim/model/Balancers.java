package io.poolkeeper.armsim.model;

import io.poolkeeper.model.LoadBalancerId;
import java.util.Collection;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.VectorMap;
import scala.collection.immutable.VectorMap$;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The load balancers in the order of their creation, in a persistent map: a snapshot costs nothing,
 * and a change costs the same for any number of them.
 */
final class Balancers {
  private VectorMap<LoadBalancerId, LoadBalancer> byId = VectorMap$.MODULE$.empty();

  /** An immutable snapshot. */
  Map<LoadBalancerId, LoadBalancer> picture() {
    return CollectionConverters.asJava(byId);
  }

  @Nullable LoadBalancer get(LoadBalancerId id) {
    return picture().get(id);
  }

  Collection<LoadBalancer> values() {
    return picture().values();
  }

  void put(LoadBalancerId id, LoadBalancer balancer) {
    byId = byId.updated(id, balancer);
  }

  void remove(LoadBalancerId id) {
    byId = byId.removed(id);
  }

  void computeIfPresent(
      LoadBalancerId id, BiFunction<LoadBalancerId, LoadBalancer, LoadBalancer> change) {
    LoadBalancer present = get(id);
    if (present != null) {
      put(id, change.apply(id, present));
    }
  }

  void clear() {
    byId = VectorMap$.MODULE$.empty();
  }
}
