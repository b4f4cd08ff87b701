package io.poolkeeper.kube.binding;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * A complete admission checker. It answers its own entry while that is Pending, and only for the
 * version that it has looked at.
 *
 * @param name of the check, as bindings list it
 * @param judge the answer, from the number of retries so far
 */
public record ExampleChecker(
    KubernetesClient client, String name, IntFunction<Answer> judge, InstantSource clock)
    implements ResourceEventHandler<GenericKubernetesResource> {
  private static final ResourceDefinitionContext BINDINGS =
      new ResourceDefinitionContext.Builder()
          .withGroup("poolkeeper.io")
          .withVersion("v1alpha1")
          .withKind("BackendPoolBinding")
          .withPlural("backendpoolbindings")
          .withNamespaced(true)
          .build();

  /** {@code requeueAfterSeconds} only with the state Retry. */
  public record Answer(String state, String message, Map<String, Integer> requeueAfterSeconds) {}

  /** Answers until it is closed. */
  public SharedIndexInformer<GenericKubernetesResource> start(String namespace) {
    return client.genericKubernetesResources(BINDINGS).inNamespace(namespace).inform(this);
  }

  @Override
  public void onAdd(GenericKubernetesResource binding) {
    List<Map<String, Object>> checks = binding.get("status", "admissionChecks");
    for (int i = 0; checks != null && i < checks.size(); i++) {
      Map<String, Object> check = checks.get(i);
      if (name.equals(check.get("name")) && "Pending".equals(check.get("state"))) {
        answer(binding, i, check);
      }
    }
  }

  private void answer(GenericKubernetesResource binding, int index, Map<String, Object> check) {
    Answer answer = judge.apply((Integer) check.getOrDefault("retryCount", 0));
    Map<String, Object> next = new HashMap<>(check);
    next.put("state", answer.state());
    next.put("message", answer.message());
    next.put("lastTransitionTime", clock.instant().truncatedTo(ChronoUnit.SECONDS).toString());
    next.putAll(answer.requeueAfterSeconds());
    String version = binding.getMetadata().getResourceVersion();
    List<Map<String, Object>> patch =
        List.of(
            Map.of("op", "test", "path", "/metadata/resourceVersion", "value", version),
            Map.of("op", "replace", "path", "/status/admissionChecks/" + index, "value", next));
    try {
      client
          .genericKubernetesResources(BINDINGS)
          .inNamespace(binding.getMetadata().getNamespace())
          .withName(binding.getMetadata().getName())
          .subresource("status")
          .patch(
              PatchContext.of(PatchType.JSON), client.getKubernetesSerialization().asJson(patch));
    } catch (KubernetesClientException changed) {
      // The watch delivers the newer version, and it is answered then.
    }
  }

  @Override
  public void onUpdate(GenericKubernetesResource before, GenericKubernetesResource after) {
    onAdd(after);
  }

  @Override
  public void onDelete(GenericKubernetesResource binding, boolean unknownFinalState) {}
}
