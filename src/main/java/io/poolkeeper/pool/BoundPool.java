package io.poolkeeper.pool;

import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.Mark;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.ServiceKey;
import java.time.Instant;
import java.util.Optional;

/**
 * What one binding wants in a pool that something else manages (docs/topics/bindings.md): a level,
 * not a change. Entries with the mark belong to the binding; all others are foreign and stay.
 *
 * @param namespace of the binding
 * @param service whose nodes the pool is to hold; empty exactly if the binding is being deleted
 * @param held why members must not be written for now, for people; empty if they may
 * @param leaving from when on a read shows whether an entry with the mark is left; present exactly
 *     if the binding is being deleted; monotonic
 */
public record BoundPool(
    PoolId pool,
    Mark mark,
    String namespace,
    Optional<ServiceKey> service,
    IpFamily family,
    Optional<String> held,
    Optional<Instant> leaving) {
  public BoundPool {
    if (service.isPresent() == leaving.isPresent()) {
      throw new IllegalArgumentException(pool + ": of a Service, or leaving");
    }
    if (leaving.isPresent() && held.isPresent()) {
      throw new IllegalArgumentException(pool + ": a deletion asks no check");
    }
  }

  public static BoundPool of(
      PoolId pool, Mark mark, ServiceKey service, IpFamily family, Optional<String> held) {
    return new BoundPool(
        pool, mark, service.namespace(), Optional.of(service), family, held, Optional.empty());
  }

  public BoundPool unheld() {
    return new BoundPool(pool, mark, namespace, service, family, Optional.empty(), leaving);
  }

  public static BoundPool leaving(PoolId pool, Mark mark, String namespace, Instant from) {
    return new BoundPool(
        pool,
        mark,
        namespace,
        Optional.empty(),
        IpFamily.IPV4,
        Optional.empty(),
        Optional.of(from));
  }
}
