package io.poolkeeper.kube;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.poolkeeper.lock.PauseAnnotations;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Writes the annotations of the leader's Lease that pause all replicas, and no others. */
public final class PauseWriter {
  /** Names the field manager, by which the Lease shows who paused. */
  private static final PatchContext PATCH =
      new PatchContext.Builder()
          .withPatchType(PatchType.JSON_MERGE)
          .withFieldManager("poolkeeper-pause")
          .build();

  private final KubernetesClient client;
  private final String namespace;
  private final String lease;

  private PauseWriter(KubernetesClient client, String namespace, String lease) {
    this.client = client;
    this.namespace = namespace;
    this.lease = lease;
  }

  /**
   * A writer for the first of these Leases that exists; one with a holder comes first.
   *
   * @throws NoLeaderException if there is none, or it cannot be read
   */
  public static PauseWriter of(KubernetesClient client, String namespace, List<String> leases) {
    List<Lease> found =
        leases.stream().flatMap(name -> LeaderPod.lease(client, namespace, name).stream()).toList();
    return found.stream()
        .filter(lease -> LeaderPod.holder(lease).isPresent())
        .findFirst()
        .or(() -> found.stream().findFirst())
        .map(lease -> new PauseWriter(client, namespace, lease.getMetadata().getName()))
        .orElseThrow(
            () ->
                new NoLeaderException(
                    "namespace %s has no Lease %s: name it with -n and --lease; without leader election (leader-election.enabled = false) there is none, and a restart with mode = shadow stops all writes"
                        .formatted(namespace, String.join(" or ", leases))));
  }

  /** The namespace and name of the Lease. */
  public String lease() {
    return namespace + "/" + lease;
  }

  /**
   * Pauses all replicas from now on; returns until when.
   *
   * @param wall this machine's clock. The end is by the API server's, as those of the replicas are
   *     the cluster's, and a laptop's may be minutes off
   */
  public Instant pause(Duration duration, String reason, boolean drains, InstantSource wall) {
    Duration ahead = ServerClock.ahead(client, wall).orElse(Duration.ZERO);
    Instant until = wall.instant().plus(ahead).plus(duration).truncatedTo(ChronoUnit.SECONDS);
    patch(PauseAnnotations.of(until, reason, drains));
    return until;
  }

  /** Ends the pause, if there is one. */
  public void resume() {
    Map<String, @Nullable String> removed = new HashMap<>();
    PauseAnnotations.names().forEach(name -> removed.put(name, null));
    patch(removed);
  }

  /** The end of the pause; empty if there is none. */
  public Optional<String> until() {
    return LeaderPod.lease(client, namespace, lease)
        .map(found -> found.getMetadata().getAnnotations())
        .map(annotations -> annotations.get(PauseAnnotations.names().getFirst()));
  }

  private void patch(Map<String, ? extends @Nullable String> annotations) {
    String change = Serialization.asJson(Map.of("metadata", Map.of("annotations", annotations)));
    try {
      client.leases().inNamespace(namespace).withName(lease).patch(PATCH, change);
    } catch (KubernetesClientException refused) {
      throw new NoLeaderException(
          "cannot patch Lease %s: %s".formatted(lease(), Causes.text(refused)));
    }
  }
}
