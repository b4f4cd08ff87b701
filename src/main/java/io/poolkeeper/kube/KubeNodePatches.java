package io.poolkeeper.kube;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.poolkeeper.model.OutOfService;
import io.poolkeeper.node.HandledPreemptions;
import io.poolkeeper.node.NodeEffect;
import io.poolkeeper.node.NodePatches;
import io.poolkeeper.node.PatchResult;
import io.poolkeeper.node.Signals;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Taints Nodes and annotates them, in one JSON patch that the API server takes only if the Node is
 * as it was read: another Node under its name, and a taint or annotation of another client, are
 * never overwritten. A few patches at a time; the others wait.
 */
public final class KubeNodePatches implements NodePatches, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(KubeNodePatches.class);

  /** The API server's answer to a patch whose test fails. */
  private static final int UNPROCESSABLE = 422;

  private static final int MAX_CONCURRENT = 4;

  /** New pods are kept away; running ones are left to the cluster's own eviction. */
  private static final String EFFECT = "NoSchedule";

  private final KubernetesClient client;
  private final ExecutorService threads =
      Executors.newFixedThreadPool(
          MAX_CONCURRENT, Thread.ofPlatform().daemon().name("kube-patches-", 0).factory());
  private final AtomicReference<String> lastError = new AtomicReference<>("");

  /** The client stays open when this is closed. */
  public KubeNodePatches(KubernetesClient client) {
    this.client = client;
  }

  @Override
  public CompletionStage<PatchResult> patch(NodeEffect.Patch patch) {
    try {
      return CompletableFuture.supplyAsync(() -> tryPatch(patch), threads);
    } catch (RejectedExecutionException closed) {
      return CompletableFuture.completedFuture(PatchResult.FAILED);
    }
  }

  private PatchResult tryPatch(NodeEffect.Patch patch) {
    String name = patch.node().name();
    try {
      @Nullable Node node = client.nodes().withName(name).get();
      if (node == null || !patch.uid().equals(node.getMetadata().getUid())) {
        return PatchResult.GONE;
      }
      return apply(node, patch);
    } catch (RuntimeException failure) {
      return result(patch, failure);
    }
  }

  /** Patches a Node if it is still as it was read. */
  PatchResult apply(Node read, NodeEffect.Patch patch) {
    List<Map<String, Object>> operations = operations(read, patch);
    try {
      if (!operations.isEmpty()) {
        String json = client.getKubernetesSerialization().asJson(operations);
        client.nodes().withName(patch.node().name()).patch(PatchContext.of(PatchType.JSON), json);
      }
      lastError.set("");
      return PatchResult.DONE;
    } catch (RuntimeException failure) {
      return result(patch, failure);
    }
  }

  private PatchResult result(NodeEffect.Patch patch, RuntimeException failure) {
    if (Causes.isNotFound(failure)) {
      return PatchResult.GONE;
    }
    if (Causes.isConflict(failure) || Causes.isStatus(failure, UNPROCESSABLE)) {
      log.info("node={} patch=conflict error=\"{}\"", patch.node(), Causes.text(failure));
      return PatchResult.CONFLICT;
    }
    String error = Causes.text(failure, client);
    if (!lastError.getAndSet(error).equals(error)) {
      log.warn("node={} patch=failed error=\"{}\"", patch.node(), error);
    }
    return PatchResult.FAILED;
  }

  /** The JSON patch that adds what the Node lacks; empty if it lacks nothing. */
  static List<Map<String, Object>> operations(Node node, NodeEffect.Patch patch) {
    Map<String, String> annotations = node.getMetadata().getAnnotations();
    HandledPreemptions handled = HandledPreemptions.of(NodeViews.handled(node.getMetadata()));
    if (handled.ids().containsAll(patch.ids())) {
      return List.of();
    }
    List<Map<String, Object>> operations = new ArrayList<>();
    operations.add(operation("test", "/metadata/uid", patch.uid()));
    String version = node.getMetadata().getResourceVersion();
    operations.add(operation("test", "/metadata/resourceVersion", version));
    if (patch.taint() && !handled.containsAny(patch.ids())) {
      addTaint(node, operations);
    }
    if (annotations == null || annotations.isEmpty()) {
      operations.add(operation("add", "/metadata/annotations", Map.of()));
    }
    String path = "/metadata/annotations/" + HandledPreemptions.ANNOTATION.replace("/", "~1");
    operations.add(operation("add", path, handled.with(patch.ids()).text()));
    return List.copyOf(operations);
  }

  private static void addTaint(Node node, List<Map<String, Object>> operations) {
    List<Taint> taints =
        node.getSpec() == null || node.getSpec().getTaints() == null
            ? List.of()
            : node.getSpec().getTaints();
    if (taints.stream().anyMatch(taint -> OutOfService.DRAINING.equals(taint.getKey()))) {
      return;
    }
    Map<String, String> taint =
        Map.of("key", OutOfService.DRAINING, "value", Signals.SPOT_EVICTION, "effect", EFFECT);
    if (node.getSpec() == null) {
      operations.add(operation("add", "/spec", Map.of()));
    }
    operations.add(
        taints.isEmpty()
            ? operation("add", "/spec/taints", List.of(taint))
            : operation("add", "/spec/taints/-", taint));
  }

  private static Map<String, Object> operation(String op, String path, Object value) {
    return Map.of("op", op, "path", path, "value", value);
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
