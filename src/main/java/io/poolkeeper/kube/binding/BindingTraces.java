package io.poolkeeper.kube.binding;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.poolkeeper.kube.Causes;
import io.poolkeeper.kube.MergePatch;
import io.poolkeeper.model.PoolReference;
import io.poolkeeper.uninstall.ObjectTrace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds and removes the controller's finalizers and statuses of bindings; the bindings stay. */
public final class BindingTraces {
  private BindingTraces() {}

  /** Returns nothing where the cluster has no bindings. */
  public static List<ObjectTrace> read(KubernetesClient client) {
    try {
      return client.resources(BackendPoolBinding.class).inAnyNamespace().list().getItems().stream()
          .flatMap(binding -> trace(client, binding))
          .toList();
    } catch (KubernetesClientException refused) {
      if (Causes.isNotFound(refused)) {
        return List.of();
      }
      throw refused;
    }
  }

  private static Stream<ObjectTrace> trace(KubernetesClient client, BackendPoolBinding binding) {
    List<String> found = new ArrayList<>();
    if (BindingViews.hasFinalizer(binding)) {
      found.add("finalizer " + BackendPoolBinding.FINALIZER);
    }
    Optional<PoolReference> pool = SpecReader.pool(binding.getSpec());
    if (binding.getStatus() != null && pool.isPresent()) {
      found.add("status");
    }
    String namespace = binding.getMetadata().getNamespace();
    String name = binding.getMetadata().getName();
    Resource<BackendPoolBinding> resource =
        client.resources(BackendPoolBinding.class).inNamespace(namespace).withName(name);
    return found.isEmpty()
        ? Stream.empty()
        : Stream.of(
            new ObjectTrace(
                "BackendPoolBinding %s/%s".formatted(namespace, name),
                String.join(", ", found),
                pool,
                () -> clean(resource, pool.isPresent())));
  }

  /**
   * The status is removed first, as the object may be deleted with its last finalizer. But one that
   * names no pool needs a status, by {@link BackendPoolBinding#NAMES}, or nothing can be changed.
   */
  private static void clean(Resource<BackendPoolBinding> resource, boolean namesPool) {
    MergePatch.change(
        resource,
        resource.subresource("status"),
        read -> {
          Map<String, @Nullable Object> change = new HashMap<>();
          change.put("metadata", Map.of("resourceVersion", MergePatch.version(read)));
          change.put("status", namesPool ? null : Map.of("queued", 0));
          return change;
        });
    MergePatch.change(
        resource,
        resource,
        read ->
            Map.of(
                "metadata",
                Map.of(
                    "resourceVersion",
                    MergePatch.version(read),
                    "finalizers",
                    BindingViews.otherFinalizers(read))));
  }
}
