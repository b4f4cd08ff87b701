package io.poolkeeper.kube;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.authentication.SelfSubjectReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.poolkeeper.doctor.KubeFacts;
import io.poolkeeper.doctor.KubeFacts.Lease;
import io.poolkeeper.doctor.KubeFacts.LeaseName;
import io.poolkeeper.doctor.KubeProbe;
import io.poolkeeper.doctor.KubeRight;
import io.poolkeeper.kube.binding.BackendPoolBinding;
import io.poolkeeper.model.Look;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Reads rights, Leases and the clock of the API server, all at once, each within seconds. */
public final class KubeInspection implements KubeProbe, AutoCloseable {
  private static final Duration CALL = Duration.ofSeconds(4);

  /** The most bindings that are looked at. */
  private static final long BINDINGS = 500;

  /** The time of a call, with a wait for its connection. */
  private static final Duration LATEST = CALL.plusSeconds(1);

  private final KubernetesClient client;
  private final InstantSource wall;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /** An inspection with a client of its own, with this one's settings. */
  public KubeInspection(KubernetesClient of, InstantSource wall) {
    this.wall = wall;
    client = KubeClients.once(of, CALL);
  }

  @Override
  public CompletionStage<KubeFacts> look(List<KubeRight> rights, List<LeaseName> leases) {
    var user = call(this::user);
    Map<KubeRight, CompletableFuture<Look<Boolean>>> may = new HashMap<>();
    rights.forEach(right -> may.put(right, call(() -> may(right))));
    Map<LeaseName, CompletableFuture<Look<Optional<Lease>>>> held = new HashMap<>();
    leases.forEach(name -> held.put(name, call(() -> lease(name))));
    var bindings = call(this::finalizers);
    var ahead = call(() -> ServerClock.ahead(client, wall));
    return CompletableFuture.allOf(user, bindings, ahead, all(may), all(held))
        // All of them are completed, so no join waits.
        .thenApply(
            done ->
                new KubeFacts(
                    user.join(),
                    joined(may),
                    joined(held),
                    bindings.join(),
                    ahead.join() instanceof Look.Seen<Optional<Duration>> seen
                        ? seen.value()
                        : Optional.empty()));
  }

  private static CompletableFuture<Void> all(Map<?, ? extends CompletableFuture<?>> of) {
    return CompletableFuture.allOf(of.values().toArray(CompletableFuture[]::new));
  }

  private static <K, V> Map<K, V> joined(Map<K, CompletableFuture<V>> of) {
    return of.entrySet().stream()
        .collect(
            Collectors.toUnmodifiableMap(
                Map.Entry::getKey, one -> one.getValue().join())); // completed: does not wait
  }

  private <T> CompletableFuture<Look<T>> call(Supplier<T> what) {
    String late = "no answer within %d s".formatted(CALL.toSeconds());
    try {
      return CompletableFuture.supplyAsync(() -> seen(what), threads)
          .completeOnTimeout(new Look.Failed<>(0, "", late), LATEST.toMillis(), MILLISECONDS);
    } catch (RejectedExecutionException closed) {
      return CompletableFuture.completedFuture(new Look.Failed<>(0, "", "closed"));
    }
  }

  private static <T> Look<T> seen(Supplier<T> what) {
    try {
      return new Look.Seen<>(what.get());
    } catch (RuntimeException failed) {
      return failed instanceof KubernetesClientException answer
          ? new Look.Failed<>(answer.getCode(), "", said(answer))
          : new Look.Failed<>(0, "", Causes.text(failed));
    }
  }

  /** The API server's own words, if there are any. */
  private static String said(KubernetesClientException failed) {
    return Optional.ofNullable(failed.getStatus())
        .flatMap(status -> Optional.ofNullable(status.getMessage()))
        .map(words -> words.lines().findFirst().orElse(""))
        .orElseGet(() -> Causes.text(failed));
  }

  private String user() {
    SelfSubjectReview review =
        client.authentication().v1().selfSubjectReviews().create(new SelfSubjectReview());
    return Optional.ofNullable(review.getStatus())
        .flatMap(status -> Optional.ofNullable(status.getUserInfo()))
        .flatMap(who -> Optional.ofNullable(who.getUsername()))
        .orElseThrow(KubeInspection::silent);
  }

  private static IllegalStateException silent() {
    return new IllegalStateException("the API server does not say it");
  }

  private boolean may(KubeRight right) {
    String[] parts = right.resource().split("/", 2);
    SelfSubjectAccessReview review =
        new SelfSubjectAccessReviewBuilder()
            .withNewSpec()
            .withNewResourceAttributes()
            .withVerb(right.verb())
            .withGroup(right.group())
            .withResource(parts[0])
            .withSubresource(parts.length > 1 ? parts[1] : "")
            .withNamespace(right.namespace())
            .withName(right.name())
            .endResourceAttributes()
            .endSpec()
            .build();
    return Optional.ofNullable(
            client.authorization().v1().selfSubjectAccessReview().create(review).getStatus())
        .flatMap(status -> Optional.ofNullable(status.getAllowed()))
        .orElseThrow(KubeInspection::silent);
  }

  private Optional<Lease> lease(LeaseName name) {
    return Optional.ofNullable(
            client.leases().inNamespace(name.namespace()).withName(name.name()).get())
        .map(
            found ->
                lease(
                    Objects.requireNonNullElseGet(found.getSpec(), LeaseSpec::new),
                    Optional.ofNullable(found.getMetadata().getAnnotations())
                        .map(of -> of.get(LeaseFormat.WRITER))
                        .orElse("")));
  }

  private static Lease lease(LeaseSpec spec, String writer) {
    return new Lease(
        Objects.requireNonNullElse(spec.getHolderIdentity(), ""),
        Optional.ofNullable(spec.getRenewTime()).map(ZonedDateTime::toInstant),
        Duration.ofSeconds(Objects.requireNonNullElse(spec.getLeaseDurationSeconds(), 0)),
        writer);
  }

  private Optional<Integer> finalizers() {
    try {
      return Optional.of(
          (int)
              client
                  .resources(BackendPoolBinding.class)
                  .inAnyNamespace()
                  .list(new ListOptionsBuilder().withLimit(BINDINGS).build())
                  .getItems()
                  .stream()
                  .filter(binding -> binding.hasFinalizer(BackendPoolBinding.FINALIZER))
                  .count());
    } catch (KubernetesClientException failed) {
      if (Causes.isStatus(failed, HttpURLConnection.HTTP_NOT_FOUND)) {
        return Optional.empty();
      }
      throw failed;
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
    client.close();
  }
}
