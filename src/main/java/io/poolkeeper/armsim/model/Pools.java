package io.poolkeeper.armsim.model;

import io.poolkeeper.model.Names;
import java.util.Collection;
import java.util.Optional;
import scala.collection.immutable.VectorMap;
import scala.collection.immutable.VectorMap$;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The pools of a load balancer by folded name, in the order of their creation. Immutable and
 * persistent: adding a pool costs the same for any number of them.
 */
record Pools(VectorMap<String, Pool> byName) {
  static final Pools NONE = new Pools(VectorMap$.MODULE$.empty());

  Optional<Pool> find(String name) {
    return Optional.ofNullable(CollectionConverters.asJava(byName).get(Names.fold(name)));
  }

  Collection<Pool> all() {
    return CollectionConverters.asJava(byName).values();
  }

  Pools with(Pool pool) {
    return new Pools(byName.updated(Names.fold(pool.name()), pool));
  }

  Pools without(Pool pool) {
    return new Pools(byName.removed(Names.fold(pool.name())));
  }
}
