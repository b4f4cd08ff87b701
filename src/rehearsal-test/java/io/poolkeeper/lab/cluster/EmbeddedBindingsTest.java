package io.poolkeeper.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.poolkeeper.kube.binding.BackendPoolBinding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What bindings and their checkers need of an API server, as a real one does it. */
class EmbeddedBindingsTest {
  private final EmbeddedCluster cluster = EmbeddedCluster.start(0);
  private final KubernetesClient client = cluster.client();

  @BeforeEach
  void install() throws IOException {
    client.load(Files.newInputStream(Path.of("deploy/first/backendpoolbindings.yaml"))).create();
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private NonNamespaceOperation<
          BackendPoolBinding,
          KubernetesResourceList<BackendPoolBinding>,
          Resource<BackendPoolBinding>>
      all() {
    return client.resources(BackendPoolBinding.class).inNamespace("default");
  }

  private Resource<BackendPoolBinding> web() {
    return all().withName("web");
  }

  private BackendPoolBinding create(String finalizers) {
    return client
        .resource(
            client
                .getKubernetesSerialization()
                .unmarshal(
                    """
                    apiVersion: poolkeeper.io/v1alpha1
                    kind: BackendPoolBinding
                    metadata: {name: web, namespace: default, finalizers: %s}
                    spec: {serviceRef: {name: web}, backendPool: {loadBalancer: lb, pool: p}}
                    status: {queued: 7}
                    """
                        .formatted(finalizers),
                    BackendPoolBinding.class))
        .create();
  }

  private static void refused(ThrowingCallable call, int code) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            KubernetesClientException.class,
            refusal -> assertThat(refusal.getCode()).isEqualTo(code));
  }

  @Test
  void withoutTheDefinition_thereIsNoSuchResource() {
    client.apiextensions().v1().customResourceDefinitions().delete();

    refused(() -> client.resources(BackendPoolBinding.class).inAnyNamespace().list(), 404);
    refused(() -> create("[]"), 404);
    assertThat(client.supports(BackendPoolBinding.class)).isFalse();
    assertThat(web().get()).isNull();
  }

  @Test
  void withTheDefinition_itIsServed() {
    create("[]");

    assertThat(client.supports(BackendPoolBinding.class)).isTrue();
    assertThat(client.resources(BackendPoolBinding.class).inAnyNamespace().list().getItems())
        .hasSize(1);
    assertThat(all().list().getItems()).hasSize(1);
    assertThat(client.resources(BackendPoolBinding.class).inNamespace("other").list().getItems())
        .isEmpty();
    assertThat(web().get().getStatus()).isNull();
    assertThat(client.raw("/apis/poolkeeper.io/v1alpha1")).contains("backendpoolbindings");
  }

  @Test
  void aFinalizer_keepsADeletedObject() {
    create("[poolkeeper.io/addresses]");
    BackendPoolBinding before = web().get();
    List<String> seen = new CopyOnWriteArrayList<>();
    all().watch(watcher(seen));
    web().delete();

    BackendPoolBinding deleted = web().get();
    assertThat(deleted.getMetadata().getDeletionTimestamp()).satisfies(Instant::parse);
    assertThat(deleted.getMetadata().getGeneration()).isEqualTo(2);
    assertThat(deleted.getMetadata().getResourceVersion())
        .isNotEqualTo(before.getMetadata().getResourceVersion());
    web().delete();
    assertThat(web().get()).isEqualTo(deleted);
    BackendPoolBinding last =
        web()
            .patch(
                PatchContext.of(PatchType.JSON_MERGE),
                "{\"metadata\": {\"resourceVersion\": \"%s\", \"finalizers\": null}}"
                    .formatted(deleted.getMetadata().getResourceVersion()));
    assertThat(last.getMetadata().getName()).isEqualTo("web");
    assertThat(web().get()).isNull();
    await().until(() -> seen.size() >= 3);
    assertThat(seen)
        .containsExactly("ADDED null", "MODIFIED " + stamp(deleted), "DELETED " + stamp(deleted));
  }

  private static String stamp(BackendPoolBinding binding) {
    return binding.getMetadata().getDeletionTimestamp();
  }

  @Test
  void generation_risesWithTheSpecOnly() {
    create("[]");
    web()
        .patch(
            PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\": {\"finalizers\": [\"a/b\"]}}");
    patchStatus(PatchType.JSON_MERGE, "{\"status\": {\"queued\": 3}}");
    assertThat(web().get().getMetadata().getGeneration()).isEqualTo(1);
    assertThat(web().get().getMetadata().getFinalizers()).containsExactly("a/b");

    web()
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"spec\": {\"active\": false}, \"status\": {\"queued\": 4}}");

    assertThat(web().get().getMetadata().getGeneration()).isEqualTo(2);
    assertThat(web().get().getStatus().queued()).isEqualTo(3);
  }

  private void patchStatus(PatchType type, String patch) {
    web().subresource("status").patch(PatchContext.of(type), patch);
  }

  @Test
  void mergePatch_replacesLists_andRemovesWhatIsNull() {
    create("[a/b]");
    web()
        .patch(
            PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\": {\"finalizers\": [\"c/d\"]}}");
    patchStatus(
        PatchType.JSON_MERGE,
        "{\"status\": {\"queued\": 3, \"requeueAt\": \"2024-01-01T00:00:00Z\"}}");
    patchStatus(PatchType.JSON_MERGE, "{\"status\": {\"requeueAt\": null}}");

    assertThat(web().get().getMetadata().getFinalizers()).containsExactly("c/d");
    assertThat(web().get().getStatus().requeueAt()).isNull();
    assertThat(web().get().getStatus().queued()).isEqualTo(3);
  }

  @Test
  void status_ofAStaleVersion_isAConflict_byUpdateAndByPatch() {
    BackendPoolBinding created = create("[]");
    String version = created.getMetadata().getResourceVersion();
    patchStatus(PatchType.JSON_MERGE, "{\"status\": {\"queued\": 3}}");

    refused(() -> client.resource(created).updateStatus(), 409);
    refused(
        () ->
            patchStatus(
                PatchType.JSON_MERGE,
                "{\"metadata\": {\"resourceVersion\": \"%s\"}, \"status\": {\"queued\": 4}}"
                    .formatted(version)),
        409);
    refused(
        () ->
            patchStatus(
                PatchType.JSON,
                """
                [{"op": "test", "path": "/metadata/resourceVersion", "value": "%s"},
                 {"op": "replace", "path": "/status/queued", "value": 4}]"""
                    .formatted(version)),
        422);
    refused(
        () ->
            patchStatus(
                PatchType.JSON,
                "[{\"op\": \"replace\", \"path\": \"/status/admissionChecks/0\", \"value\": 4}]"),
        422);
    assertThat(web().get().getStatus().queued()).isEqualTo(3);
  }

  private static Watcher<BackendPoolBinding> watcher(List<String> seen) {
    return new Watcher<>() {
      @Override
      public void eventReceived(Action action, BackendPoolBinding object) {
        seen.add(action + " " + stamp(object));
      }

      @Override
      public void onClose(WatcherException cause) {}
    };
  }
}
