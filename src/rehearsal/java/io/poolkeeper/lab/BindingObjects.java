package io.poolkeeper.lab;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.poolkeeper.lab.judge.BindingHistory;
import io.poolkeeper.lab.judge.Bound;
import io.poolkeeper.model.PoolId;
import java.util.List;
import java.util.Map;

/**
 * The bindings of a rehearsal. Used by one thread.
 *
 * @param all that were created
 */
record BindingObjects(KubernetesClient client, List<Bound> all) {
  /** Creates a binding; every second one names its pool by its id, in another case. */
  Bound create(Bound bound, String... finalizers) {
    PoolId pool = bound.pool();
    Map<String, String> byName =
        Map.of(
            "resourceGroup", pool.loadBalancer().resourceGroup(),
            "loadBalancer", pool.loadBalancer().name(),
            "pool", pool.name());
    Map<String, Object> spec =
        Map.of(
            "serviceRef",
            Map.of("name", bound.service()),
            "backendPool",
            all.size() % 2 == 0 ? byName : Map.of("id", pool.path().replace("Groups", "groups")),
            "admissionChecks",
            bound.checks());
    client
        .resource(
            new GenericKubernetesResourceBuilder()
                .withApiVersion("poolkeeper.io/v1alpha1")
                .withKind("BackendPoolBinding")
                .withNewMetadata()
                .withNamespace(bound.namespace())
                .withName(bound.name())
                .withFinalizers(finalizers)
                .endMetadata()
                .addToAdditionalProperties("spec", spec)
                .build())
        .create();
    all.add(bound);
    return bound;
  }

  void delete(Bound bound) {
    resource(bound).delete();
  }

  /** Writes into its status, whatever is there. */
  void forge(Bound bound, String patch) {
    resource(bound).subresource("status").patch(PatchContext.of(PatchType.JSON_MERGE), patch);
  }

  /** Whether its status says that its pool holds what it asks for. */
  boolean ready(Bound bound) {
    GenericKubernetesResource binding = resource(bound).get();
    List<Map<String, Object>> conditions =
        binding == null ? null : binding.get("status", "conditions");
    return conditions != null
        && conditions.stream()
            .anyMatch(
                condition ->
                    "Ready".equals(condition.get("type"))
                        && "True".equals(condition.get("status")));
  }

  private Resource<GenericKubernetesResource> resource(Bound bound) {
    return client
        .genericKubernetesResources(BindingHistory.BINDINGS)
        .inNamespace(bound.namespace())
        .withName(bound.name());
  }
}
