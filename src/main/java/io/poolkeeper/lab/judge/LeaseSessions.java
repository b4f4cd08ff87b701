package io.poolkeeper.lab.judge;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.poolkeeper.lab.judge.SharedLease.Session;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Watches how long a holder holds a Lease each time. Its events come on one thread. */
public final class LeaseSessions implements ResourceEventHandler<Lease>, AutoCloseable {
  private final String holder;
  private final InstantSource wall;
  private final List<Session> ended = new CopyOnWriteArrayList<>();
  private final SharedIndexInformer<Lease> informer;
  private @Nullable Instant since;

  /** Begins to watch. */
  public LeaseSessions(
      KubernetesClient client, String namespace, String name, String holder, InstantSource wall) {
    this.holder = holder;
    this.wall = wall;
    informer = client.leases().inNamespace(namespace).withName(name).runnableInformer(0);
    informer.addEventHandler(this);
    informer.start();
  }

  /** Those that have ended. */
  public List<Session> ended() {
    return List.copyOf(ended);
  }

  @Override
  public void onAdd(Lease lease) {
    boolean held =
        holder.equals(Objects.requireNonNullElse(lease.getSpec().getHolderIdentity(), ""));
    if (held && since == null) {
      since = lease.getSpec().getAcquireTime().toInstant();
    } else if (!held && since != null) {
      ended.add(new Session(since, Duration.between(since, wall.instant())));
      since = null;
    }
  }

  @Override
  public void onUpdate(Lease before, Lease after) {
    onAdd(after);
  }

  @Override
  public void onDelete(Lease lease, boolean unknownFinalState) {}

  @Override
  public void close() {
    informer.stop();
  }
}
