package io.poolkeeper.kube;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElector;
import io.poolkeeper.config.Settings;
import io.poolkeeper.lock.LeaderElection;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Stands for election with the Kubernetes client's own elector, over a Lease. It has a connection
 * of its own, so that a renewal waits for nothing else, and no call of it outlasts half of the
 * renew deadline.
 */
public final class KubeLeaderElection implements LeaderElection, AutoCloseable {
  /** The whole program has 9 s to stop: 6 s for pools and the shared Lease, 1 s for events. */
  private static final Duration RELEASE_LIMIT = Duration.ofSeconds(1);

  private final Settings.LeaderElection settings;
  private final String namespace;
  private final String identity;
  private final InstantSource clock;
  private final InstantSource wall;
  private final KubernetesClient client;
  private final KubePauses pauses;
  private final Supplier<Optional<URI>> url;
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().daemon().name("leader-election").factory());

  /** The election, once it has begun: an actor starts it, and the process's end closes it. */
  private final AtomicReference<CompletableFuture<?>> election =
      new AtomicReference<>(CompletableFuture.completedFuture(null));

  /**
   * An election that has not begun.
   *
   * @param namespace of the Lease
   * @param identity unique among living processes; a process that restarts with the same one takes
   *     up its own Lease at once
   * @param pauses receives the Lease each time that it is read
   * @param url where this process answers those on its machine; empty if it does not, or not yet
   * @param other the client whose API server and credentials are used; it stays open
   */
  public KubeLeaderElection(
      Settings.LeaderElection settings,
      String namespace,
      String identity,
      KubePauses pauses,
      Supplier<Optional<URI>> url,
      KubernetesClient other,
      InstantSource clock,
      InstantSource wall) {
    this.settings = settings;
    this.namespace = namespace;
    this.identity = identity;
    this.pauses = pauses;
    this.url = url;
    this.clock = clock;
    this.wall = wall;
    client = KubeClients.onceForLease(other, settings.renewDeadline().dividedBy(2));
  }

  @Override
  public void start(Consumer<Instant> renewed, Consumer<String> ended) {
    LeaderLease lease =
        new LeaderLease(settings, namespace, identity, clock, wall, renewed, pauses::read, url);
    LeaderElector elector =
        new LeaderElector(
            client,
            new LeaderElectionConfigBuilder()
                .withName(settings.name())
                .withLock(lease)
                .withLeaseDuration(settings.leaseDuration())
                .withRenewDeadline(settings.renewDeadline())
                .withRetryPeriod(settings.retryPeriod())
                .withReleaseOnCancel(true)
                .withLeaderCallbacks(new LeaderCallbacks(() -> {}, () -> {}, leader -> {}))
                .build(),
            thread);
    CompletableFuture<?> running = elector.start();
    election.set(running);
    // The election ends with the future that is cancelled, not with one derived from it.
    CompletableFuture<?> unused =
        running.whenComplete((end, failure) -> ended.accept(reason(lease)));
  }

  private String reason(LeaderLease lease) {
    boolean taken = !lease.holder().isEmpty() && !lease.holder().equals(identity);
    return taken
        ? "the leader's lease was taken by " + lease.holder()
        : "the leader's lease could not be renewed";
  }

  /** Gives the Lease back if this process holds it, so that others need not wait for its end. */
  @Override
  public void close() {
    CompletableFuture<?> running = election.get();
    if (!running.isDone()) {
      // The elector calls the API server from the thread that cancels it. Blocks the thread that
      // ends the process, which is no actor's, for a second at most.
      CompletableFuture.runAsync(
              () -> running.cancel(true), task -> Thread.ofPlatform().daemon().start(task))
          .completeOnTimeout(null, RELEASE_LIMIT.toMillis(), TimeUnit.MILLISECONDS)
          .join();
    }
    thread.shutdownNow();
    client.close();
  }
}
