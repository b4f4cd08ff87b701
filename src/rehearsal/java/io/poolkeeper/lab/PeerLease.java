package io.poolkeeper.lab;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.poolkeeper.lab.judge.SharedLease.Attempt;
import io.poolkeeper.lab.judge.SharedLease.Hold;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The cloud provider's use of the shared Lease, call by call as its {@code azureResourceLocker}
 * does it: it never waits, and fails at once if another holder's has not expired. Used by one
 * thread.
 */
final class PeerLease {
  private static final String NAMESPACE = "kube-system";
  private static final String NAME = "aks-managed-resource-locker";
  private static final String PREVIOUS = NAME + "-previous-holder";
  private static final String IDENTITY = "cloud-controller-manager";
  private static final int SECONDS = 900;

  private final Lab lab;
  final List<Attempt> attempts = new ArrayList<>();
  final List<Hold> holds = new ArrayList<>();
  private @Nullable Instant taken;
  private long takenNanos;

  PeerLease(Lab lab) {
    this.lab = lab;
  }

  /**
   * One attempt; returns whether it has it now.
   *
   * @param announced whether a failure is announced by an event
   * @param refresh is run if the Lease says that another client had it last
   */
  boolean lock(boolean announced, Runnable refresh) {
    if (lease().get() == null) {
      var metadata = new ObjectMetaBuilder().withNamespace(NAMESPACE).withName(NAME).build();
      LeaseSpec spec = new LeaseSpec();
      spec.setLeaseDurationSeconds(SECONDS);
      lab.cluster
          .client()
          .resource(new LeaseBuilder().withMetadata(metadata).withSpec(spec).build())
          .create();
    }
    Lease read = lease().require();
    Map<String, String> annotations = read.getMetadata().getAnnotations();
    boolean said = annotations != null && !IDENTITY.equals(annotations.get(PREVIOUS));
    boolean changed = taken != null && !taken.equals(read.getSpec().getAcquireTime().toInstant());
    Optional<String> met = take(read);
    attempts.add(new Attempt(met, announced, changed && !said));
    if (met.isEmpty() && said) {
      refresh.run();
    }
    return met.isEmpty();
  }

  /** Takes it; else returns the session that is in the way. A lost race is one, too. */
  private Optional<String> take(Lease read) {
    if (!expired(read.getSpec()) && !ours(read.getSpec())) {
      return Optional.of(String.valueOf(read.getSpec().getAcquireTime()));
    }
    Instant now = lab.entropy.wall().instant().truncatedTo(ChronoUnit.MICROS);
    ZonedDateTime time = now.atZone(ZoneOffset.UTC);
    var spec = read.getSpec().edit().withHolderIdentity(IDENTITY);
    spec.withAcquireTime(time).withRenewTime(time);
    if (!updated(new LeaseBuilder(read).withSpec(spec.build()).build())) {
      return Optional.of("a conflict at " + read.getMetadata().getResourceVersion());
    }
    taken = now;
    takenNanos = lab.nanos();
    return Optional.empty();
  }

  /** Gives it back, if it still has it. */
  void unlock() {
    Lease read = lease().require();
    holds.add(new Hold(takenNanos, lab.nanos()));
    if (ours(read.getSpec()) && !expired(read.getSpec())) {
      var metadata = read.getMetadata().edit().addToAnnotations(PREVIOUS, IDENTITY).build();
      var spec = read.getSpec().edit().withHolderIdentity("").build();
      updated(new LeaseBuilder(read).withMetadata(metadata).withSpec(spec).build());
    }
  }

  private Resource<Lease> lease() {
    return lab.cluster.client().leases().inNamespace(NAMESPACE).withName(NAME);
  }

  private boolean updated(Lease changed) {
    return LabCluster.written(
        () -> lab.cluster.client().resource(changed).update(), HttpURLConnection.HTTP_CONFLICT);
  }

  private static boolean ours(LeaseSpec spec) {
    return IDENTITY.equalsIgnoreCase(spec.getHolderIdentity());
  }

  private boolean expired(LeaseSpec spec) {
    String holder = Objects.requireNonNullElse(spec.getHolderIdentity(), "");
    int seconds = Objects.requireNonNullElse(spec.getLeaseDurationSeconds(), 0);
    return holder.isEmpty()
        || spec.getRenewTime() == null
        || lab.entropy
            .wall()
            .instant()
            .isAfter(spec.getRenewTime().toInstant().plusSeconds(seconds));
  }
}
