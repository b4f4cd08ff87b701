package io.poolkeeper.lab.scenario;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.poolkeeper.lab.judge.BindingHistory;
import io.poolkeeper.lab.judge.Bound;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The bindings of a rehearsal. Used by one thread. */
public final class Bindings {
  private final KubernetesClient client;
  private final List<Bound> all = new ArrayList<>();
  private final List<HeldDrain> drained = new ArrayList<>();

  Bindings(KubernetesClient client) {
    this.client = client;
  }

  /**
   * A node that left while its pool was held.
   *
   * @param until the drain must have been written before this binding is free
   */
  public record HeldDrain(String address, Bound until, long nanos) {}

  /** All that were created. */
  public List<Bound> all() {
    return List.copyOf(all);
  }

  /** Nodes that left while their pools were held. */
  public List<HeldDrain> drained() {
    return List.copyOf(drained);
  }

  void drained(HeldDrain node) {
    drained.add(node);
  }

  /** Creates it; every second one names its pool by its id, ignoring case. */
  Bound create(Bound bound) {
    String path = bound.pool().path();
    Map<String, String> byName =
        Map.of(
            "resourceGroup", BoundPools.GROUP,
            "loadBalancer", bound.pool().loadBalancer().name(),
            "pool", bound.pool().name());
    Map<String, Object> spec =
        Map.of(
            "serviceRef",
            Map.of("name", bound.service()),
            "backendPool",
            all.size() % 2 == 0 ? byName : Map.of("id", path.replace("Groups", "groups")),
            "ownership",
            bound.exclusive() ? "Exclusive" : "Shared",
            "admissionChecks",
            bound.checks());
    client
        .resource(
            new GenericKubernetesResourceBuilder()
                .withApiVersion("poolkeeper.io/v1alpha1")
                .withKind("BackendPoolBinding")
                .withNewMetadata()
                .withNamespace(Blueprint.NAMESPACE)
                .withName(bound.name())
                .endMetadata()
                .addToAdditionalProperties("spec", spec)
                .build())
        .create();
    all.add(bound);
    return bound;
  }

  void delete(String name) {
    resource(name).delete();
  }

  /** Whether its status says that its pool holds what it asks for. */
  boolean ready(String name) {
    GenericKubernetesResource binding = resource(name).get();
    List<Map<String, Object>> conditions =
        binding == null ? null : binding.get("status", "conditions");
    return conditions != null
        && conditions.stream()
            .anyMatch(
                condition ->
                    "Ready".equals(condition.get("type"))
                        && "True".equals(condition.get("status")));
  }

  private Resource<GenericKubernetesResource> resource(String name) {
    return client
        .genericKubernetesResources(BindingHistory.BINDINGS)
        .inNamespace(Blueprint.NAMESPACE)
        .withName(name);
  }
}
