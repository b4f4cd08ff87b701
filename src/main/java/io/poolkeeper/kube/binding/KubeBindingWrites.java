package io.poolkeeper.kube.binding;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.poolkeeper.admission.BindingKey;
import io.poolkeeper.admission.BindingWrites;
import io.poolkeeper.admission.BindingsEffect;
import io.poolkeeper.admission.WriteAnswer;
import io.poolkeeper.kube.Causes;
import io.poolkeeper.model.Mark;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes finalizers and statuses of bindings. Each write carries the version that it was decided
 * from: the API server refuses it after any other change. A few are in flight at a time.
 */
public final class KubeBindingWrites implements BindingWrites, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(KubeBindingWrites.class);
  private static final int MAX_CONCURRENT = 4;

  /** The Namespace whose UID is the cluster's. */
  private static final String SYSTEM = "kube-system";

  private final KubernetesClient client;
  private final BindingViews views;
  private final BindingStatuses statuses;
  private final ExecutorService threads =
      Executors.newFixedThreadPool(
          MAX_CONCURRENT, Thread.ofPlatform().daemon().name("kube-bindings-", 0).factory());

  /** The client stays open when this is closed. */
  public KubeBindingWrites(KubernetesClient client, BindingViews views) {
    this.client = client;
    this.views = views;
    statuses = new BindingStatuses(views);
  }

  @Override
  public CompletionStage<WriteAnswer> write(BindingsEffect.Write write) {
    try {
      return CompletableFuture.supplyAsync(() -> tryWrite(write), threads);
    } catch (RejectedExecutionException closed) {
      return CompletableFuture.completedFuture(new WriteAnswer.Failed("closed"));
    }
  }

  @Override
  public CompletionStage<Mark> mark() {
    try {
      return CompletableFuture.supplyAsync(this::readMark, threads);
    } catch (RejectedExecutionException closed) {
      return CompletableFuture.failedFuture(closed);
    }
  }

  private Mark readMark() {
    @Nullable Namespace system = client.namespaces().withName(SYSTEM).get();
    if (system == null) {
      throw new IllegalStateException("there is no Namespace " + SYSTEM);
    }
    return Mark.of(Objects.requireNonNullElse(system.getMetadata().getUid(), ""));
  }

  private WriteAnswer tryWrite(BindingsEffect.Write write) {
    try {
      return change(write);
    } catch (RuntimeException failure) {
      return answer(write, failure);
    }
  }

  private WriteAnswer change(BindingsEffect.Write change) {
    Resource<BackendPoolBinding> resource = resource(change.key());
    @Nullable BackendPoolBinding read = resource.get();
    if (read == null || !change.version().equals(read.getMetadata().getResourceVersion())) {
      return new WriteAnswer.Conflict();
    }
    BackendPoolBinding written =
        switch (change) {
          case BindingsEffect.AddFinalizer add -> writeFinalizers(resource, read, withOurs(read));
          case BindingsEffect.RemoveFinalizer remove ->
              writeFinalizers(resource, read, BindingViews.otherFinalizers(read));
          case BindingsEffect.WriteStatus status -> writeStatus(read, status);
        };
    return new WriteAnswer.Done(views.view(written));
  }

  private Resource<BackendPoolBinding> resource(BindingKey key) {
    return client
        .resources(BackendPoolBinding.class)
        .inNamespace(key.namespace())
        .withName(key.name());
  }

  private BackendPoolBinding writeStatus(
      BackendPoolBinding read, BindingsEffect.WriteStatus write) {
    BindingStatus next = statuses.status(read, write.report());
    return next.equals(read.getStatus())
        ? read
        : client.resource(BindingViews.withStatus(read, next)).updateStatus();
  }

  private static List<String> withOurs(BackendPoolBinding read) {
    List<String> finalizers = new ArrayList<>(BindingViews.otherFinalizers(read));
    finalizers.add(BackendPoolBinding.FINALIZER);
    return finalizers;
  }

  private BackendPoolBinding writeFinalizers(
      Resource<BackendPoolBinding> resource, BackendPoolBinding read, List<String> finalizers) {
    String version = read.getMetadata().getResourceVersion();
    List<Map<String, Object>> patch =
        List.of(
            Map.of("op", "test", "path", "/metadata/resourceVersion", "value", version),
            Map.of("op", "add", "path", "/metadata/finalizers", "value", finalizers));
    String json = client.getKubernetesSerialization().asJson(patch);
    return Objects.requireNonNull(resource.patch(PatchContext.of(PatchType.JSON), json));
  }

  private WriteAnswer answer(BindingsEffect.Write write, RuntimeException failure) {
    BindingKey key = write.key();
    String error = Causes.text(failure, client);
    if (Causes.isConflict(failure) || Causes.isNotFound(failure)) {
      log.info("binding={} write=conflict error=\"{}\"", key, error);
      return new WriteAnswer.Conflict();
    }
    log.warn("binding={} write=failed error=\"{}\"", key, error);
    return new WriteAnswer.Failed(error);
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
