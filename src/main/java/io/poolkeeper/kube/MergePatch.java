package io.poolkeeper.kube;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.EditReplacePatchable;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import java.util.function.Function;

/** Changes an object in the version that was read; reads it again if there is a newer one. */
public final class MergePatch {
  /** More than one, as a Node changes with each heartbeat. */
  private static final int MAX_ATTEMPTS = 5;

  private MergePatch() {}

  /** The version of an object; the API server refuses a patch that names an older one. */
  public static String version(HasMetadata read) {
    return read.getMetadata().getResourceVersion();
  }

  /**
   * Reads an object and merges a change into it or its subresource, again if it has changed in
   * between. A deleted object needs no change.
   *
   * @param part the object itself, or its subresource
   * @param merge makes the patch of the object that was read, with its {@link #version}
   * @throws KubernetesClientException if the API server refuses or is not reached, with the cause
   */
  public static <T extends HasMetadata> void change(
      Resource<T> resource, EditReplacePatchable<T> part, Function<T, Map<String, ?>> merge) {
    for (int attempt = 1; ; attempt++) {
      try {
        T read = resource.get();
        if (read != null) {
          part.patch(
              PatchContext.of(PatchType.JSON_MERGE), Serialization.asJson(merge.apply(read)));
        }
        return;
      } catch (KubernetesClientException refused) {
        if (Causes.isNotFound(refused)) {
          return;
        }
        if (!Causes.isConflict(refused) || attempt == MAX_ATTEMPTS) {
          throw new KubernetesClientException(Causes.text(refused), refused);
        }
      }
    }
  }
}
