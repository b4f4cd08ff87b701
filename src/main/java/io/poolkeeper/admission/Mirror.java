package io.poolkeeper.admission;

import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.Names;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolReference;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.service.PoolNames;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The binding that shows a pool which the cloud provider has made for a Service. The controller
 * makes it; its spec is read-only.
 */
public record Mirror(ServiceKey service, PoolId pool, IpFamily family) {
  /** Those of a pool, one for each Service that owns it. */
  static List<Mirror> of(PoolStatus status) {
    return status.services().keySet().stream()
        .sorted()
        .map(service -> new Mirror(service, status.id(), family(service, status.id())))
        .toList();
  }

  private static IpFamily family(ServiceKey service, PoolId pool) {
    boolean six = PoolNames.pool(service, IpFamily.IPV6).equals(Names.fold(pool.name()));
    return six ? IpFamily.IPV6 : IpFamily.IPV4;
  }

  /** A Service has one pool of a family on a load balancer. Names of Azure allow more letters. */
  public BindingKey key() {
    String name =
        "%s.%s.%s"
            .formatted(service.name(), pool.loadBalancer().name(), family)
            .toLowerCase(Locale.ROOT)
            .replaceAll("[^a-z0-9.-]", "-");
    return new BindingKey(service.namespace(), name);
  }

  /** The spec that it has. */
  BindingTarget target() {
    return new BindingTarget(
        service,
        new PoolReference(
            Optional.of(pool.loadBalancer().subscription()),
            Optional.of(pool.loadBalancer().resourceGroup()),
            pool.loadBalancer().name(),
            pool.name()),
        family,
        Ownership.MIRRORED,
        Optional.empty(),
        Optional.empty());
  }

  /** Whether a binding is this one, and not what somebody else made under its name. */
  boolean is(BindingView view) {
    return view.target().equals(Optional.of(target()))
        && view.admission().listed().isEmpty()
        && view.admission().active();
  }
}
