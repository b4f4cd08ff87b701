package io.poolkeeper.kube.binding;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.poolkeeper.admission.BindingKey;
import io.poolkeeper.admission.Mirror;
import io.poolkeeper.kube.binding.BindingSpec.Family;
import io.poolkeeper.kube.binding.BindingSpec.Ownership;
import io.poolkeeper.kube.binding.BindingSpec.PoolRef;
import io.poolkeeper.kube.binding.BindingSpec.ServiceRef;
import io.poolkeeper.model.IpFamily;

/** The bindings that the controller makes itself. */
final class Mirrored {
  private static final String MANAGED_BY = "app.kubernetes.io/managed-by";

  private Mirrored() {}

  static BackendPoolBinding of(Mirror mirror) {
    BindingKey key = mirror.key();
    Family family = mirror.family() == IpFamily.IPV6 ? Family.IPv6 : Family.IPv4;
    BackendPoolBinding binding = new BackendPoolBinding();
    binding.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace(key.namespace())
            .withName(key.name())
            .addToLabels(MANAGED_BY, "poolkeeper")
            .build());
    binding.setSpec(
        new BindingSpec(
            new ServiceRef(mirror.service().name()),
            new PoolRef(mirror.pool().path(), null, null, null),
            family.name(),
            Ownership.Mirrored.name(),
            null,
            true,
            null,
            null));
    return binding;
  }
}
