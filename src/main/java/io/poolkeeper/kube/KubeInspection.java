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

  private static final long MAX_BINDINGS = 500;

  /** The time of a call, with a wait for its connection. */
  private static final Duration LATEST = CALL.plusSeconds(1);

  private final KubernetesClient client;
  private final InstantSource wall;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /** An inspection with a client of its own, which has the settings of another one. */
  public KubeInspection(KubernetesClient other, InstantSource wall) {
    this.wall = wall;
    client = KubeClients.once(other, CALL);
  }

  @Override
  public CompletionStage<KubeFacts> look(List<KubeRight> rights, List<LeaseName> leases) {
    var user = call(this::user);
    Map<KubeRight, CompletableFuture<Look<Boolean>>> allowed = new HashMap<>();
    rights.forEach(right -> allowed.put(right, call(() -> isAllowed(right))));
    Map<LeaseName, CompletableFuture<Look<Optional<Lease>>>> found = new HashMap<>();
    leases.forEach(name -> found.put(name, call(() -> lease(name))));
    var bindings = call(this::countFinalizers);
    var ahead = call(() -> ServerClock.ahead(client, wall));
    return CompletableFuture.allOf(user, bindings, ahead, allOf(allowed), allOf(found))
        // All of them are completed, so no join waits.
        .thenApply(
            done ->
                new KubeFacts(
                    user.join(),
                    joined(allowed),
                    joined(found),
                    bindings.join(),
                    ahead.join() instanceof Look.Seen<Optional<Duration>> seen
                        ? seen.value()
                        : Optional.empty()));
  }

  private static CompletableFuture<Void> allOf(Map<?, ? extends CompletableFuture<?>> futures) {
    return CompletableFuture.allOf(futures.values().toArray(CompletableFuture[]::new));
  }

  private static <K, V> Map<K, V> joined(Map<K, CompletableFuture<V>> futures) {
    return futures.entrySet().stream()
        .collect(
            Collectors.toUnmodifiableMap(
                Map.Entry::getKey, entry -> entry.getValue().join())); // completed: does not wait
  }

  private <T> CompletableFuture<Look<T>> call(Supplier<T> call) {
    String late = "no answer within %d s".formatted(CALL.toSeconds());
    try {
      return CompletableFuture.supplyAsync(() -> look(call), threads)
          .completeOnTimeout(new Look.Failed<>(0, "", late), LATEST.toMillis(), MILLISECONDS);
    } catch (RejectedExecutionException closed) {
      return CompletableFuture.completedFuture(new Look.Failed<>(0, "", "closed"));
    }
  }

  private static <T> Look<T> look(Supplier<T> call) {
    try {
      return new Look.Seen<>(call.get());
    } catch (KubernetesClientException failed) {
      return new Look.Failed<>(failed.getCode(), "", message(failed));
    } catch (RuntimeException failed) {
      return new Look.Failed<>(0, "", Causes.text(failed));
    }
  }

  /** The first line of the API server's own message, if there is one. */
  private static String message(KubernetesClientException failed) {
    return Optional.ofNullable(failed.getStatus())
        .flatMap(status -> Optional.ofNullable(status.getMessage()))
        .map(message -> message.lines().findFirst().orElse(""))
        .orElseGet(() -> Causes.text(failed));
  }

  private String user() {
    SelfSubjectReview review =
        client.authentication().v1().selfSubjectReviews().create(new SelfSubjectReview());
    return Optional.ofNullable(review.getStatus())
        .flatMap(status -> Optional.ofNullable(status.getUserInfo()))
        .flatMap(user -> Optional.ofNullable(user.getUsername()))
        .orElseThrow(KubeInspection::noAnswer);
  }

  private static IllegalStateException noAnswer() {
    return new IllegalStateException("the API server does not say it");
  }

  private boolean isAllowed(KubeRight right) {
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
        .orElseThrow(KubeInspection::noAnswer);
  }

  private Optional<Lease> lease(LeaseName name) {
    return Optional.ofNullable(
            client.leases().inNamespace(name.namespace()).withName(name.name()).get())
        .map(
            found ->
                lease(
                    Objects.requireNonNullElseGet(found.getSpec(), LeaseSpec::new),
                    Optional.ofNullable(found.getMetadata().getAnnotations())
                        .map(annotations -> annotations.get(LeaseFormat.WRITER))
                        .orElse("")));
  }

  private static Lease lease(LeaseSpec spec, String writer) {
    return new Lease(
        Objects.requireNonNullElse(spec.getHolderIdentity(), ""),
        Optional.ofNullable(spec.getRenewTime()).map(ZonedDateTime::toInstant),
        Duration.ofSeconds(Objects.requireNonNullElse(spec.getLeaseDurationSeconds(), 0)),
        writer);
  }

  /** The number of bindings with our finalizer; empty if the cluster has no bindings. */
  private Optional<Integer> countFinalizers() {
    try {
      return Optional.of(
          (int)
              client
                  .resources(BackendPoolBinding.class)
                  .inAnyNamespace()
                  .list(new ListOptionsBuilder().withLimit(MAX_BINDINGS).build())
                  .getItems()
                  .stream()
                  .filter(binding -> binding.hasFinalizer(BackendPoolBinding.FINALIZER))
                  .count());
    } catch (KubernetesClientException failed) {
      if (Causes.isNotFound(failed)) {
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
