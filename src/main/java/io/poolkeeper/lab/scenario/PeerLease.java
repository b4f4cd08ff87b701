package io.poolkeeper.lab.scenario;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.poolkeeper.lab.judge.SharedLease.Attempt;
import io.poolkeeper.lab.judge.SharedLease.Hold;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The cloud provider's use of the shared Lease, call by call as its {@code azureResourceLocker}
 * does it: it never waits, and fails at once if another holder's has not expired. Used by one
 * thread.
 */
final class PeerLease {
  private static final String IDENTITY = "cloud-controller-manager";
  private static final String PREVIOUS = "aks-managed-resource-locker-previous-holder";
  private static final int SECONDS = 900;

  private final KubernetesClient cluster;
  private final InstantSource wall;
  private final LongSupplier nanos;
  private final List<Attempt> attempts = new ArrayList<>();
  private final List<Hold> holds = new ArrayList<>();
  private long takenNanos;

  PeerLease(KubernetesClient cluster, InstantSource wall, LongSupplier nanos) {
    this.cluster = cluster;
    this.wall = wall;
    this.nanos = nanos;
  }

  List<Attempt> attempts() {
    return List.copyOf(attempts);
  }

  List<Hold> holds() {
    return List.copyOf(holds);
  }

  private Resource<Lease> lease() {
    return cluster.leases().inNamespace("kube-system").withName("aks-managed-resource-locker");
  }

  /**
   * One attempt; returns whether it has it now.
   *
   * @param refresh is run if another client had it last
   */
  boolean lock(Runnable refresh) {
    Optional<String> met = take(refresh);
    attempts.add(new Attempt(met));
    return met.isEmpty();
  }

  /** The session that is in the way; a lost race is one, too. */
  private Optional<String> take(Runnable refresh) {
    if (lease().get() == null) {
      create();
    }
    Lease read = lease().require();
    if (!expired(read.getSpec()) && !ours(read.getSpec())) {
      return Optional.of(String.valueOf(read.getSpec().getAcquireTime()));
    }
    var now = wall.instant().truncatedTo(ChronoUnit.MICROS).atZone(ZoneOffset.UTC);
    Lease taken =
        new LeaseBuilder(read)
            .editOrNewSpec()
            .withHolderIdentity(IDENTITY)
            .withAcquireTime(now)
            .withRenewTime(now)
            .endSpec()
            .build();
    if (!updated(taken)) {
      return Optional.of("a conflict at " + read.getMetadata().getResourceVersion());
    }
    takenNanos = nanos.getAsLong();
    Map<String, String> annotations = read.getMetadata().getAnnotations();
    if (annotations != null && !IDENTITY.equals(annotations.get(PREVIOUS))) {
      refresh.run();
    }
    return Optional.empty();
  }

  private void create() {
    cluster
        .resource(
            new LeaseBuilder()
                .withNewMetadata()
                .withNamespace("kube-system")
                .withName("aks-managed-resource-locker")
                .endMetadata()
                .withNewSpec()
                .withLeaseDurationSeconds(SECONDS)
                .endSpec()
                .build())
        .create();
  }

  /** Gives it back, if it still has it. */
  void unlock() {
    Lease read = lease().require();
    holds.add(new Hold(takenNanos, nanos.getAsLong()));
    if (ours(read.getSpec()) && !expired(read.getSpec())) {
      updated(
          new LeaseBuilder(read)
              .editMetadata()
              .addToAnnotations(PREVIOUS, IDENTITY)
              .endMetadata()
              .editSpec()
              .withHolderIdentity("")
              .endSpec()
              .build());
    }
  }

  private boolean updated(Lease changed) {
    try {
      cluster.resource(changed).update();
      return true;
    } catch (KubernetesClientException refused) {
      if (refused.getCode() != HttpURLConnection.HTTP_CONFLICT) {
        throw refused;
      }
      return false;
    }
  }

  private static boolean ours(LeaseSpec spec) {
    return IDENTITY.equalsIgnoreCase(spec.getHolderIdentity());
  }

  private boolean expired(LeaseSpec spec) {
    if (Objects.requireNonNullElse(spec.getHolderIdentity(), "").isEmpty()
        || spec.getRenewTime() == null) {
      return true;
    }
    int seconds = Objects.requireNonNullElse(spec.getLeaseDurationSeconds(), 0);
    Instant end = spec.getRenewTime().toInstant().plusSeconds(seconds);
    return wall.instant().isAfter(end);
  }
}
