package io.poolkeeper.kube.binding;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.poolkeeper.kube.Causes;
import io.poolkeeper.kube.MergePatch;
import io.poolkeeper.model.PoolReference;
import io.poolkeeper.uninstall.ObjectTrace;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds and removes finalizers and statuses of bindings; people's bindings stay. */
public final class BindingTraces {
  private BindingTraces() {}

  /** Returns nothing where the cluster has no bindings. */
  public static List<ObjectTrace> read(KubernetesClient client) {
    try {
      return client.resources(BackendPoolBinding.class).inAnyNamespace().list().getItems().stream()
          .flatMap(binding -> trace(client, binding))
          .toList();
    } catch (KubernetesClientException refused) {
      if (Causes.isStatus(refused, HttpURLConnection.HTTP_NOT_FOUND)) {
        return List.of();
      }
      throw refused;
    }
  }

  private static Stream<ObjectTrace> trace(KubernetesClient client, BackendPoolBinding binding) {
    List<String> ours = new ArrayList<>();
    if (others(binding).size() < finalizers(binding).size()) {
      ours.add("finalizer " + BackendPoolBinding.FINALIZER);
    }
    Optional<PoolReference> pool = SpecReader.pool(binding.getSpec());
    if (binding.getStatus() != null && pool.isPresent()) {
      ours.add("status");
    }
    String namespace = binding.getMetadata().getNamespace();
    String name = binding.getMetadata().getName();
    Resource<BackendPoolBinding> resource =
        client.resources(BackendPoolBinding.class).inNamespace(namespace).withName(name);
    return ours.isEmpty()
        ? Stream.empty()
        : Stream.of(
            new ObjectTrace(
                "BackendPoolBinding %s/%s".formatted(namespace, name),
                String.join(", ", ours),
                pool,
                () -> clean(resource, pool.isPresent())));
  }

  /**
   * The status is removed first, as the object may be deleted with its last finalizer. But one that
   * names no pool needs a status, by {@link BackendPoolBinding#NAMES}, or nothing can be changed.
   */
  private static void clean(Resource<BackendPoolBinding> resource, boolean named) {
    MergePatch.change(
        resource,
        resource.subresource("status"),
        read -> {
          Map<String, @Nullable Object> change = new HashMap<>();
          change.put("metadata", Map.of("resourceVersion", MergePatch.version(read)));
          change.put("status", named ? null : Map.of("queued", 0));
          return change;
        });
    MergePatch.change(
        resource,
        resource,
        read ->
            Map.of(
                "metadata",
                Map.of("resourceVersion", MergePatch.version(read), "finalizers", others(read))));
  }

  private static List<String> finalizers(BackendPoolBinding binding) {
    return SpecReader.present(binding.getMetadata().getFinalizers()).toList();
  }

  private static List<String> others(BackendPoolBinding binding) {
    return finalizers(binding).stream()
        .filter(finalizer -> !finalizer.equals(BackendPoolBinding.FINALIZER))
        .toList();
  }
}
