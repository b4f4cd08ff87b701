package io.poolkeeper.kube;

import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.poolkeeper.config.Settings;
import io.poolkeeper.lock.LeaderView;
import io.poolkeeper.lock.PauseAnnotations;
import io.poolkeeper.lock.PauseCore;
import io.poolkeeper.model.ObjectReference;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows from the leader's Lease who leads, and passes on the annotations that pause all replicas
 * when they change. It watches the Lease, and receives what the election reads of it. A leader that
 * has not renewed for the lease duration, by this process's clock, is none.
 */
public final class KubePauses implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(KubePauses.class);

  /**
   * The leader that the Lease names.
   *
   * @param since when this was first read; monotonic
   */
  private record Leader(Optional<LeaderView> view, Instant since) {
    private Leader next(Optional<LeaderView> read, Instant now) {
      return read.equals(view) ? this : new Leader(read, now);
    }
  }

  private final Duration leaseDuration;
  private final InstantSource clock;
  private final InstantSource wall;
  private final SharedIndexInformer<Lease> informer;
  private final AtomicReference<Consumer<PauseCore.Event.Read>> receiver =
      new AtomicReference<>(read -> {});
  private final AtomicReference<PauseCore.Event.Read> lastRead =
      new AtomicReference<>(PauseCore.Event.Read.NOTHING);
  private final AtomicReference<Leader> leader =
      new AtomicReference<>(new Leader(Optional.empty(), Instant.MIN));
  private final AtomicReference<String> lastError = new AtomicReference<>("");

  /**
   * A watch that has not started. The client stays open when this is closed.
   *
   * @param clock monotonic
   */
  public KubePauses(
      KubernetesClient client,
      String namespace,
      Settings.LeaderElection election,
      InstantSource clock,
      InstantSource wall) {
    this.leaseDuration = election.leaseDuration();
    this.clock = clock;
    this.wall = wall;
    informer =
        client
            .leases()
            .inNamespace(namespace)
            .withName(election.name())
            .runnableInformer(0)
            .exceptionHandler((started, failure) -> failed(failure))
            .addEventHandler(new Handler());
  }

  /** Starts to watch; returns at once. */
  public void start(Consumer<PauseCore.Event.Read> reads) {
    receiver.set(reads);
    informer.start();
  }

  /** The holder of the Lease when it was read last, if it goes on renewing it. */
  public Optional<LeaderView> leader() {
    Leader last = leader.get();
    boolean renews = clock.instant().isBefore(last.since().plus(leaseDuration));
    return renews ? last.view() : Optional.empty();
  }

  /** The election, or the watch, has read the Lease. */
  void read(Lease lease) {
    updateLeader(
        LeaderPod.holder(lease)
            .flatMap(holder -> renewed(lease).map(time -> new LeaderView(holder, time))));
    Map<String, String> annotations =
        Objects.requireNonNullElse(lease.getMetadata().getAnnotations(), Map.of());
    updateAnnotations(lease, annotations);
  }

  private static Optional<Instant> renewed(Lease lease) {
    return Optional.ofNullable(lease.getSpec())
        .map(LeaseSpec::getRenewTime)
        .map(ZonedDateTime::toInstant);
  }

  private void updateLeader(Optional<LeaderView> read) {
    Instant now = clock.instant();
    leader.updateAndGet(before -> before.next(read, now));
  }

  /** Watch and election read on two threads, and either may be behind the other. */
  private void updateAnnotations(Lease lease, Map<String, String> annotations) {
    ObjectMeta meta = lease.getMetadata();
    PauseCore.Event.Read next =
        new PauseCore.Event.Read(
            ObjectReference.ofLease(meta.getNamespace(), meta.getName()),
            version(meta),
            renewed(lease).orElse(Instant.MIN),
            annotations,
            manager(meta),
            wall.instant());
    PauseCore.Event.Read before =
        lastRead.getAndUpdate(current -> next.follows(current) ? next : current);
    if (next.follows(before) && !next.annotations().equals(before.annotations())) {
      receiver.get().accept(next);
    }
  }

  /**
   * The field manager that set the time of the pause, such as {@code kubectl-annotate}; empty if
   * none is known.
   */
  private static String manager(ObjectMeta meta) {
    return Stream.ofNullable(meta.getManagedFields())
        .flatMap(List::stream)
        .filter(entry -> entry.getFieldsV1() != null && entry.getManager() != null)
        .filter(entry -> ownsPause(entry.getFieldsV1().getAdditionalProperties()))
        .map(ManagedFieldsEntry::getManager)
        .findFirst()
        .orElse("");
  }

  private static boolean ownsPause(Map<String, Object> fields) {
    return fields.get("f:metadata") instanceof Map<?, ?> metadata
        && metadata.get("f:annotations") instanceof Map<?, ?> annotations
        && annotations.containsKey("f:" + PauseAnnotations.names().getFirst());
  }

  private static long version(ObjectMeta meta) {
    try {
      return Long.parseLong(meta.getResourceVersion());
    } catch (NumberFormatException opaque) {
      return 0;
    }
  }

  private boolean failed(Throwable failure) {
    String error = Causes.text(failure);
    if (!lastError.getAndSet(error).equals(error)) {
      log.warn(
          "watch=leader-lease state=failing effect=\"a pause is seen late\" error=\"{}\"", error);
    }
    return true;
  }

  @Override
  public void close() {
    informer.stop();
  }

  private final class Handler implements ResourceEventHandler<Lease> {
    @Override
    public void onAdd(Lease lease) {
      read(lease);
    }

    @Override
    public void onUpdate(Lease before, Lease after) {
      read(after);
    }

    @Override
    public void onDelete(Lease lease, boolean unknownFinalState) {
      updateLeader(Optional.empty());
      updateAnnotations(lease, Map.of());
    }

    @Override
    public void onList(String version, boolean remainedEmpty) {
      lastError.set("");
    }
  }
}
