package io.poolkeeper.kube;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.poolkeeper.config.Settings;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Holds the leader's Lease for a command, so that no replica leads meanwhile; at the end the Leases
 * of leaders are deleted.
 */
public final class LeaderHold implements AutoCloseable {
  /** The longest time of a renewal, besides the Lease's duration. */
  private static final Duration SLACK = Duration.ofSeconds(10);

  private final KubernetesClient client;
  private final Settings.LeaderElection election;
  private final String namespace;
  private final InstantSource wall;
  private final AtomicReference<Optional<String>> lost = new AtomicReference<>(Optional.empty());
  private Optional<KubeLeaderElection> running = Optional.empty();

  /**
   * A Lease that is not taken yet. The client stays open.
   *
   * @param election with mode = write; with mode = shadow the name of the Lease differs
   */
  public LeaderHold(
      KubernetesClient client,
      Settings.LeaderElection election,
      String namespace,
      InstantSource wall) {
    this.client = client;
    this.election = election;
    this.namespace = namespace;
    this.wall = wall;
  }

  /** The Leases of leaders that exist. */
  private List<Lease> leases() {
    return election.names().stream()
        .flatMap(name -> LeaderPod.lease(client, namespace, name).stream())
        .toList();
  }

  public List<String> names() {
    return leases().stream()
        .map(lease -> "Lease %s/%s".formatted(namespace, lease.getMetadata().getName()))
        .toList();
  }

  /** A replica that leads, by the clocks of its machine and of this one. */
  public Optional<String> leader() {
    return leases().stream().flatMap(lease -> leader(lease).stream()).findFirst();
  }

  private Optional<String> leader(Lease lease) {
    LeaseSpec spec = lease.getSpec();
    boolean renewed =
        spec != null
            && spec.getRenewTime() != null
            && spec.getLeaseDurationSeconds() != null
            && spec.getRenewTime()
                .toInstant()
                .plusSeconds(spec.getLeaseDurationSeconds())
                .isAfter(wall.instant());
    return renewed ? LeaderPod.holder(lease) : Optional.empty();
  }

  /**
   * Takes the Lease, and holds it until {@link #close}. Without its namespace, no replica leads.
   * Blocks the command's thread, which has nothing else to do.
   *
   * @param identity no replica has it
   * @throws NoLeaderException if the Lease cannot be taken
   */
  public void take(String identity, InstantSource clock) {
    if (!election.enabled() || client.namespaces().withName(namespace).get() == null) {
      return;
    }
    KubePauses ignoredPauses = new KubePauses(client, namespace, election, clock, wall);
    KubeLeaderElection own =
        new KubeLeaderElection(
            election, namespace, identity, ignoredPauses, Optional::empty, client, clock, wall);
    running = Optional.of(own);
    CompletableFuture<Instant> taken = new CompletableFuture<>();
    own.start(
        taken::complete,
        reason -> {
          lost.set(Optional.of(reason));
          taken.completeExceptionally(new NoLeaderException(reason));
        });
    try {
      taken
          .orTimeout(election.leaseDuration().plus(SLACK).toMillis(), TimeUnit.MILLISECONDS)
          .join();
    } catch (CompletionException failed) {
      throw new NoLeaderException(
          "Lease %s/%s cannot be taken: a replica holds it, or the API server refuses"
              .formatted(namespace, election.name()));
    }
  }

  /** Why nothing may be changed any more; empty if it may. */
  public Optional<String> lost() {
    return lost.get();
  }

  /** Gives the Lease back, and deletes those without a holder. */
  public void release() {
    close();
    for (Lease lease : leases()) {
      Optional<String> leader = leader(lease);
      if (leader.isPresent()) {
        throw new NoLeaderException(
            "a replica has begun to lead (%s): stop it, and try again".formatted(leader.get()));
      }
      client.resource(lease).inNamespace(namespace).lockResourceVersion().delete();
    }
  }

  @Override
  public void close() {
    running.ifPresent(KubeLeaderElection::close);
    running = Optional.empty();
  }
}
